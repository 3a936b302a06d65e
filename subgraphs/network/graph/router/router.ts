import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'A peer that routes packets to the resources of a network, from its first join on.',
  simpleResolvers: true,
})
export class Router {
  @Field(() => Int, { description: 'Id of the router; never changes.' })
  id!: Opt<number>;

  @Field(() => Int, { description: 'The network that it routes to.' })
  @Property({ type: 'integer' })
  networkId!: number;

  @Field(() => Int, { description: 'The peer.' })
  @Property({ type: 'integer' })
  peerId!: number;

  @Field(() => Boolean, {
    description: 'Whether packets to resources get the router’s address as their source. Default: true.',
  })
  @Property({ type: 'boolean' })
  masquerade!: boolean;

  @Field(() => Int, { description: '1 to 9999; the router with the lowest metric is used. Default: 9999.' })
  @Property({ type: 'integer' })
  metric!: number;

  @Field(() => Boolean, {
    description: 'Whether the router is in effect. While it is disabled, the router with the next metric is used.',
  })
  @Property({ type: 'boolean', default: true })
  enabled!: Opt<boolean>;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'router' })
export class RouterRow extends Router {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
}

/** The columns of a router in GraphQL. */
export const ROUTER_COLUMNS = ['id', 'networkId', 'peerId', 'masquerade', 'metric', 'enabled', 'createdAt'] as const;
