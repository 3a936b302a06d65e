import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

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
  id!: number;

  @Field(() => String, { description: 'Defaults to `<source>-to-<destination>`.' })
  name!: string;

  @Field(() => Int, { description: 'The group the traffic comes from.' })
  sourceGroupId!: number;

  @Field(() => Int, { description: 'The group the traffic goes to.' })
  destGroupId!: number;

  @Field(() => ProtocolEnum, { description: 'Defaults to `all`.' })
  protocol!: Protocol;

  @Field(() => [String], { description: 'Destination ports, `80` or `8000-8100`. Empty: every port.' })
  ports!: string[];

  @Field(() => Boolean, { description: 'Whether the policy also applies from destination to source. Default: true.' })
  bidirectional!: boolean;

  @Field(() => PolicyActionEnum, { description: 'Defaults to `accept`.' })
  action!: PolicyAction;

  @Field(() => Boolean, { description: 'Whether the policy is in effect. Default: true.' })
  enabled!: boolean;

  @Field(() => Boolean, { description: 'Whether the platform created the policy, which is then read-only.' })
  isManaged!: boolean;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

/** The columns of a policy under the names of its fields. */
export const POLICY_COLUMNS = `p.id, p.name, p.source_group_id AS "sourceGroupId", p.dest_group_id AS "destGroupId", p.protocol, p.ports,
  p.bidirectional, p.action, p.enabled, p.is_managed AS "isManaged", p.created_at AS "createdAt"`;
