import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A name and what a router found that it stands for.' })
export class FoundName {
  @Field(() => String, { description: 'One that the configuration asks for, of a line `#resolve `.' })
  name!: string;

  @Field(() => [String], {
    description: 'All of its IPv4 addresses, 16 at most; those that were found before and are not named are gone.',
  })
  addresses!: string[];
}

/** What was found for the names of resources; to be bound to a tenant and grouped by `f.resource_id`. */
export const FOUND_OF_RESOURCES = `
  SELECT f.resource_id, json_agg(json_build_object('peerId', f.peer_id, 'address', host(f.address), 'place', f.id) ORDER BY f.id) AS found
    FROM network.found_address f`;
