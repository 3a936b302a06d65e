import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'A set of resources that the same routers make reachable.', simpleResolvers: true })
export class Network {
  @Field(() => Int, { description: 'Id of the network; never changes.' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Unique among your networks.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Description of the network.' })
  @Property({ type: 'text', nullable: true })
  description!: string | null;

  @Field(() => Boolean, {
    description: 'Whether this is the default network, which is created with the tenant and cannot be deleted.',
  })
  @Property({ type: 'boolean', default: false })
  isDefault!: Opt<boolean>;

  @Field(() => [Int], { description: 'Its routers, oldest first.' })
  routerIds!: Computed<number[]>;

  @Field(() => [Int], { description: 'Its resources, oldest first.' })
  resourceIds!: Computed<number[]>;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'network' })
export class NetworkRow extends Network {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
}

const idsIn = (table: 'router' | 'resource') =>
  sql<number[]>`
    ARRAY(SELECT r.id FROM network.${sql.raw(table)} r
           WHERE r.tenant_id = network.tenant_id AND r.network_id = network.id ORDER BY r.id)`;

/** The columns of a network in GraphQL. */
export const NETWORK_COLUMNS = [
  'network.id',
  'network.name',
  'network.description',
  'network.isDefault',
  idsIn('router').as('routerIds'),
  idsIn('resource').as('resourceIds'),
  'network.createdAt',
] as const;
