import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Computed } from '../../../../kernel/database/query.js';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'The number of objects of each type in a private network.', simpleResolvers: true })
export class TenantCounts {
  @Field(() => Int, { description: 'Number of groups, including the default group.' })
  groups!: number;

  @Field(() => Int, { description: 'Number of networks, including the default network.' })
  networks!: number;

  @Field(() => Int, { description: 'Number of resources.' })
  resources!: number;

  @Field(() => Int, { description: 'Number of routers.' })
  routers!: number;

  @Field(() => Int, { description: 'Number of peers, including peers whose machines have not joined.' })
  peers!: number;

  @Field(() => Int, { description: 'Number of policies, including the managed policy.' })
  policies!: number;
}

@ObjectType({ description: 'The private network of a user.', simpleResolvers: true })
export class Tenant {
  @Field(() => Int, { description: 'Id of the private network; never changes.' })
  @PrimaryKey({ type: 'integer', generated: 'identity' })
  id!: Opt<number>;

  @Field(() => String, { description: '`active`.' })
  @Property({ type: 'text' })
  status!: string;

  @Field(() => String, { description: 'The address range of its peers, a CIDR in 100.64.0.0/10.' })
  @Property({ type: 'cidr' })
  addressRange!: string;

  @Field(() => Int, { description: 'Increases with every change of the graph.' })
  @Property({ type: 'integer', default: 0 })
  revision!: Opt<number>;

  @Field(() => Int, { description: 'The default group, to which new peers belong unless another group is given.' })
  defaultGroup!: Computed<number>;

  @Field(() => Int, { description: 'The default network, created with the tenant.' })
  defaultNetwork!: Computed<number>;

  @Field(() => DateTime, { description: 'When it was provisioned.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'tenant' })
export class TenantRow extends Tenant {
  @Property({ type: 'integer' }) userId!: number;
  /** Position of the address range among all ranges, from 0. */
  @Property({ type: 'integer' }) rangeNumber!: number;
  /** Increases only when the graph that decides about packets changes. */
  @Property({ type: 'integer', default: 0 }) graphRevision!: Opt<number>;
  /** When its owner was last notified of peers or policies. */
  @Property({ type: 'datetime', nullable: true }) notifiedAt!: Date | null;
}
