import { sql } from 'kysely';
import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A name and the addresses to which a router resolved it.' })
export class FoundName {
  @Field(() => String, { description: 'A name from a `#resolve ` line of the configuration.' })
  name!: string;

  @Field(() => [String], {
    description: 'All IPv4 addresses of the name, at most 16. Addresses reported earlier and missing here are removed.',
  })
  addresses!: string[];
}

/** The resolved addresses of resources; bind it to a tenant and group by `f.resource_id`. */
export const FOUND_OF_RESOURCES = sql`
  SELECT f.resource_id, json_agg(json_build_object('peerId', f.peer_id, 'address', host(f.address), 'place', f.id) ORDER BY f.id) AS found
    FROM network.found_address f`;
