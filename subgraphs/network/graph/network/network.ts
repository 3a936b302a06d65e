import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'A set of resources that the same routers make reachable.', simpleResolvers: true })
export class Network {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'Unique among your networks.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Description of the network.' })
  description!: string | null;

  @Field(() => Boolean, {
    description: 'Whether this is the default network, which is created with the tenant and cannot be deleted.',
  })
  isDefault!: boolean;

  @Field(() => [Int], { description: 'Its routers, oldest first.' })
  routerIds!: number[];

  @Field(() => [Int], { description: 'Its resources, oldest first.' })
  resourceIds!: number[];

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

/** The columns of a network under the names of its fields. */
export const NETWORK_COLUMNS = `n.id, n.name, n.description, n.is_default AS "isDefault",
  ARRAY(SELECT r.id FROM network.router r WHERE r.network_id = n.id ORDER BY r.id) AS "routerIds",
  ARRAY(SELECT r.id FROM network.resource r WHERE r.network_id = n.id ORDER BY r.id) AS "resourceIds",
  n.created_at AS "createdAt"`;
