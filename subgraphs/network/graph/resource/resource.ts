import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import { RESOURCE_KINDS, type ResourceKind } from '../address/address.rules.js';

export const ResourceKindEnum = Object.fromEntries(RESOURCE_KINDS.map((kind) => [kind, kind]));

registerEnumType(ResourceKindEnum, {
  name: 'ResourceKind',
  description: 'The type of a resource address: one host, a subnet, or a domain.',
});

export const ENFORCED =
  'Whether policies and routes apply to it. False while it is disabled. A domain is enforced after a router of its network has resolved it, see `addresses`. `*.example.com` is never enforced, because its subdomains cannot be listed. IPv6 is never enforced, because Nebula certificates of version 1 contain only IPv4. A resource that is not enforced is shown but cannot be reached.';

export const ADDRESSES =
  'IPv4 addresses of the domain that packets are routed to: routers of its network resolved them by their own DNS, now or in the last ten minutes. Two kinds of addresses are omitted: those inside a host or subnet resource, unless its active router resolved them too, and those that a router of another network resolved first. Clients resolve the domain by their own DNS.';

@ObjectType({ description: 'A destination behind the routers of a network.', simpleResolvers: true })
export class Resource {
  @Field(() => Int, { description: 'Id of the resource; never changes.' })
  id!: Opt<number>;

  @Field(() => Int, { description: 'The network of the resource.' })
  @Property({ type: 'integer' })
  networkId!: number;

  @Field(() => String, { description: 'Unique in the network.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'An IP address, a CIDR or a domain, in canonical form.' })
  @Property({ type: 'text' })
  address!: string;

  @Field(() => ResourceKindEnum, { description: 'The type of the address.' })
  @Property({ type: 'text' })
  kind!: ResourceKind;

  @Field(() => Boolean, {
    description: 'Whether the resource is in effect. A disabled resource is shown but cannot be reached.',
  })
  @Property({ type: 'boolean', default: true })
  enabled!: Opt<boolean>;

  @Field(() => Boolean, { description: ENFORCED })
  enforced!: Computed<boolean>;

  @Field(() => [String], { description: `Of a domain: ${ADDRESSES} Empty for other kinds.` })
  addresses!: Computed<string[]>;

  @Field(() => [Int], {
    description: 'The groups that contain the resource. Policies with these groups as destination apply to it.',
  })
  groups!: Computed<number[]>;

  @Field(() => DateTime, { description: 'When it was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'resource' })
export class ResourceRow extends Resource {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
}

const GROUPS = sql<number[]>`
  ARRAY(SELECT m.group_id FROM network.resource_group m
         WHERE m.tenant_id = resource.tenant_id AND m.resource_id = resource.id ORDER BY m.group_id)`;

/** The columns of a resource in GraphQL. */
export const RESOURCE_COLUMNS = [
  'resource.id',
  'resource.networkId',
  'resource.name',
  'resource.address',
  'resource.kind',
  'resource.enabled',
  GROUPS.as('groups'),
  'resource.createdAt',
] as const;
