import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'A peer that leads to the resources of a network.', simpleResolvers: true })
export class Router {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => Int, { description: 'The network it leads to.' })
  networkId!: number;

  @Field(() => Int, { description: 'The peer.' })
  peerId!: number;

  @Field(() => Boolean, { description: 'Whether resources see the router as the sender; defaults to true.' })
  masquerade!: boolean;

  @Field(() => Int, { description: 'From 1 to 9999, the default: of several routers the lowest is taken.' })
  metric!: number;

  @Field(() => Boolean, {
    description: 'Whether it is in force; one that is disabled leads nowhere, and the next by metric does.',
  })
  enabled!: boolean;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

/** The columns of a router under the names of its fields. */
export const ROUTER_COLUMNS =
  'o.id, o.network_id AS "networkId", o.peer_id AS "peerId", o.masquerade, o.metric, o.enabled, o.created_at AS "createdAt"';
