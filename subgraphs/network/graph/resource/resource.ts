import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { RESOURCE_KINDS, type ResourceKind } from '../address/address.rules.js';

export const ResourceKindEnum = Object.fromEntries(RESOURCE_KINDS.map((kind) => [kind, kind]));

registerEnumType(ResourceKindEnum, {
  name: 'ResourceKind',
  description: 'The type of a resource address: one host, a subnet, or a domain.',
});

/** Used for each resource. */
export const ENFORCED =
  'Whether policies and routes apply to it. False while it is disabled. A domain is enforced after a router of its network has resolved it, see `addresses`. `*.example.com` is never enforced, because its subdomains cannot be listed. IPv6 is never enforced, because Nebula certificates of version 1 contain only IPv4. A resource that is not enforced is shown but cannot be reached.';

/** Used for each domain. */
export const ADDRESSES =
  'IPv4 addresses of the domain that packets are routed to: routers of its network resolved them by their own DNS, now or in the last ten minutes. Two kinds of addresses are omitted: those inside a host or subnet resource, unless its active router resolved them too, and those that a router of another network resolved first. Clients resolve the domain by their own DNS.';

@ObjectType({ description: 'A destination behind the routers of a network.', simpleResolvers: true })
export class Resource {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => Int, { description: 'The network of the resource.' })
  networkId!: number;

  @Field(() => String, { description: 'Unique in the network.' })
  name!: string;

  @Field(() => String, { description: 'An IP address, a CIDR or a domain, in canonical form.' })
  address!: string;

  @Field(() => ResourceKindEnum, { description: 'The type of the address.' })
  kind!: ResourceKind;

  @Field(() => Boolean, {
    description: 'Whether the resource is in effect. A disabled resource is shown but cannot be reached.',
  })
  enabled!: boolean;

  @Field(() => Boolean, { description: ENFORCED })
  enforced!: boolean;

  @Field(() => [String], { description: `Of a domain: ${ADDRESSES} Empty for other kinds.` })
  addresses!: string[];

  @Field(() => [Int], {
    description: 'The groups that contain the resource. Policies with these groups as destination apply to it.',
  })
  groups!: number[];

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

/** The columns of a resource under the names of its fields. */
export const RESOURCE_COLUMNS = `r.id, r.network_id AS "networkId", r.name, r.address, r.kind, r.enabled,
  ARRAY(SELECT m.group_id FROM network.resource_group m WHERE m.resource_id = r.id ORDER BY m.group_id) AS groups,
  r.created_at AS "createdAt"`;
