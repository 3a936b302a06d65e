import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../kernel/scalars.js';

export const RESOURCE_KINDS = ['host', 'subnet', 'domain'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export const ResourceKindEnum = Object.fromEntries(RESOURCE_KINDS.map((kind) => [kind, kind]));

registerEnumType(ResourceKindEnum, {
  name: 'ResourceKind',
  description: 'What an address stands for: one machine, a network of them, or a name.',
});

/** Of each resource, wherever it is shown. */
export const ENFORCED =
  'Whether policies hold for it and routes lead to it. Not so for a domain, which is not resolved, and for IPv6, which the overlay does not carry: these are drawn, and nothing reaches them.';

@ObjectType({ description: 'Something behind the routers of a network.', simpleResolvers: true })
export class Resource {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => Int, { description: 'The network it is in.' })
  networkId!: number;

  @Field(() => String, { description: 'Unique in its network.' })
  name!: string;

  @Field(() => String, { description: 'An IP address, a CIDR or a domain, in its plain form.' })
  address!: string;

  @Field(() => ResourceKindEnum, { description: 'As the address shows.' })
  kind!: ResourceKind;

  @Field(() => [Int], { description: 'The groups it is in; policies that lead to them lead to it.' })
  groups!: number[];

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

/** The columns of a resource under the names of its fields. */
export const RESOURCE_COLUMNS = `r.id, r.network_id AS "networkId", r.name, r.address, r.kind,
  ARRAY(SELECT m.group_id FROM network.resource_group m WHERE m.resource_id = r.id ORDER BY m.group_id) AS groups,
  r.created_at AS "createdAt"`;
