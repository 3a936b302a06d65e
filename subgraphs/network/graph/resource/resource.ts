import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { RESOURCE_KINDS, type ResourceKind } from '../address/address.rules.js';

export const ResourceKindEnum = Object.fromEntries(RESOURCE_KINDS.map((kind) => [kind, kind]));

registerEnumType(ResourceKindEnum, {
  name: 'ResourceKind',
  description: 'What an address stands for: one machine, a network of them, or a name.',
});

/** Of each resource, wherever it is shown. */
export const ENFORCED =
  'Whether policies hold for it and routes lead to it. Not so while it is disabled. So for a domain once a router of its network has resolved it, see `addresses`. Not so for `*.example.com`, as nobody can list the names below it, and for IPv6, as certificates of Nebula in version 1 carry IPv4 only: these are drawn, and nothing reaches them.';

/** Of each domain, wherever it is shown. */
export const ADDRESSES =
  'IPv4 addresses that routers of its network found by their own DNS and that packets are routed to, for ten minutes after the domain stood for them last. Left out are those within what is drawn as a host or subnet, unless the router in use there found them, and those that a router of another network found first. Who connects resolves the domain by its own DNS.';

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

  @Field(() => Boolean, {
    description: 'Whether it is in force; one that is disabled is drawn, and nothing reaches it.',
  })
  enabled!: boolean;

  @Field(() => Boolean, { description: ENFORCED })
  enforced!: boolean;

  @Field(() => [String], { description: `Of a domain: ${ADDRESSES} None of other kinds.` })
  addresses!: string[];

  @Field(() => [Int], { description: 'The groups it is in; policies that lead to them lead to it.' })
  groups!: number[];

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

/** The columns of a resource under the names of its fields. */
export const RESOURCE_COLUMNS = `r.id, r.network_id AS "networkId", r.name, r.address, r.kind, r.enabled,
  ARRAY(SELECT m.group_id FROM network.resource_group m WHERE m.resource_id = r.id ORDER BY m.group_id) AS groups,
  r.created_at AS "createdAt"`;
