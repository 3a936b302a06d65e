import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'A peer that routes packets to the resources of a network.', simpleResolvers: true })
export class Router {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => Int, { description: 'The network that it routes to.' })
  networkId!: number;

  @Field(() => Int, { description: 'The peer.' })
  peerId!: number;

  @Field(() => Boolean, {
    description: 'Whether packets to resources get the router’s address as their source. Default: true.',
  })
  masquerade!: boolean;

  @Field(() => Int, { description: '1 to 9999; the router with the lowest metric is used. Default: 9999.' })
  metric!: number;

  @Field(() => Boolean, {
    description: 'Whether the router is in effect. While it is disabled, the router with the next metric is used.',
  })
  enabled!: boolean;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

/** The columns of a router under the names of its fields. */
export const ROUTER_COLUMNS =
  'o.id, o.network_id AS "networkId", o.peer_id AS "peerId", o.masquerade, o.metric, o.enabled, o.created_at AS "createdAt"';
