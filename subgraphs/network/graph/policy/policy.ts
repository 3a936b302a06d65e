import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

export const PROTOCOLS = ['all', 'tcp', 'udp', 'icmp'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const POLICY_ACTIONS = ['accept', 'drop'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

export const ProtocolEnum = Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, protocol]));
export const PolicyActionEnum = Object.fromEntries(POLICY_ACTIONS.map((action) => [action, action]));

registerEnumType(ProtocolEnum, { name: 'PolicyProtocol', description: 'The protocol that a policy applies to.' });
registerEnumType(PolicyActionEnum, {
  name: 'PolicyAction',
  description: 'Whether a policy accepts or drops the traffic.',
});

@ObjectType({
  description: 'A rule for traffic from one group to another: an edge of the topology.',
  simpleResolvers: true,
})
export class Policy {
  @Field(() => Int, { description: 'Never changes; the edge is `policy:<id>`.' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Defaults to `<source>-to-<destination>`.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => Int, { description: 'The group the traffic comes from.' })
  @Property({ type: 'integer' })
  sourceGroupId!: number;

  @Field(() => Int, { description: 'The group the traffic goes to.' })
  @Property({ type: 'integer' })
  destGroupId!: number;

  @Field(() => ProtocolEnum, { description: 'Defaults to `all`.' })
  @Property({ type: 'text' })
  protocol!: Protocol;

  @Field(() => [String], { description: 'Destination ports, `80` or `8000-8100`. Empty: every port.' })
  @Property({ type: 'text[]', defaultRaw: `'{}'::text[]` })
  ports!: Opt<string[]>;

  @Field(() => Boolean, { description: 'Whether the policy also applies from destination to source. Default: true.' })
  @Property({ type: 'boolean' })
  bidirectional!: boolean;

  @Field(() => PolicyActionEnum, { description: 'Defaults to `accept`.' })
  @Property({ type: 'text' })
  action!: PolicyAction;

  @Field(() => Boolean, { description: 'Whether the policy is in effect. Default: true.' })
  @Property({ type: 'boolean' })
  enabled!: boolean;

  @Field(() => Boolean, { description: 'Whether the platform created the policy, which is then read-only.' })
  @Property({ type: 'boolean', default: false })
  isManaged!: Opt<boolean>;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'policy' })
export class PolicyRow extends Policy {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
}

/** The columns of a policy in GraphQL. */
export const POLICY_COLUMNS = [
  'policy.id',
  'policy.name',
  'policy.sourceGroupId',
  'policy.destGroupId',
  'policy.protocol',
  'policy.ports',
  'policy.bidirectional',
  'policy.action',
  'policy.enabled',
  'policy.isManaged',
  'policy.createdAt',
] as const;
