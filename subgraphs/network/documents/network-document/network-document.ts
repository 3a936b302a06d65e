import { Field, InputType, Int } from 'type-graphql';
import { ResourceKindEnum } from '../../graph/resource/resource.js';
import type { ResourceKind } from '../../graph/address/address.rules.js';
import { PolicySpecArgs } from '../../graph/policy/policy-spec.js';

@InputType({ description: 'The groups of a peer.' })
export class PeerEntry {
  @Field(() => String, { description: 'Label of one of your peers.' })
  label!: string;

  @Field(() => Int, { nullable: true, description: 'Id of the peer; needed only where several have its label.' })
  id?: number | null;

  @Field(() => [String], { description: 'Labels of all its groups.' })
  groups!: string[];
}

@InputType({ description: 'A policy, by the labels of its groups. Omitted fields have the defaults of a new policy.' })
export class PolicyEntry extends PolicySpecArgs {
  @Field(() => String, { description: 'Label of the group the traffic comes from.' })
  source!: string;

  @Field(() => String, { description: 'Label of the group the traffic goes to.' })
  destination!: string;
}

@InputType({ description: 'A resource of a network. Omitted fields have the defaults of a new resource.' })
export class ResourceEntry {
  @Field(() => String, { description: '1 to 128 characters, unique in the network.' })
  name!: string;

  @Field(() => String, { description: 'An IPv4 or IPv6 address, a CIDR or a domain.' })
  address!: string;

  @Field(() => ResourceKindEnum, { nullable: true, description: 'Default: detected from `address`.' })
  kind?: ResourceKind | null;

  @Field(() => [String], { nullable: true, description: 'Labels of all its groups. Default: none.' })
  groups?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the resource is in effect. Default: true.' })
  enabled?: boolean | null;
}

@InputType({ description: 'A router of a network. Omitted fields have the defaults of a new router.' })
export class RouterEntry {
  @Field(() => String, { description: 'Label of one of your peers.' })
  peer!: string;

  @Field(() => Int, { nullable: true, description: 'Id of the peer; needed only where several have its label.' })
  peerId?: number | null;

  @Field(() => Int, { nullable: true, description: '1 to 9999; the router with the lowest metric is used.' })
  metric?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether resources see the router’s address. Default: true.' })
  masquerade?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the router is in effect. Default: true.' })
  enabled?: boolean | null;
}

@InputType({ description: 'A network with its resources and routers.' })
export class NetworkEntry {
  @Field(() => String, { description: '1 to 128 characters, unique among your networks.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'At most 512 characters. Default: none.' })
  description?: string | null;

  @Field(() => [ResourceEntry], {
    nullable: true,
    description: 'All resources; others are deleted. Omitted: they stay as they are.',
  })
  resources?: ResourceEntry[] | null;

  @Field(() => [RouterEntry], {
    nullable: true,
    description: 'All routers; others are deleted. Omitted: they stay as they are.',
  })
  routers?: RouterEntry[] | null;
}

@InputType({
  description:
    'The desired state of a private network. An omitted list leaves its objects as they are. What the platform manages and the default group and network stay.',
})
export class NetworkDocument {
  @Field(() => [String], { nullable: true, description: 'Labels of all groups; others are deleted.' })
  groups?: string[] | null;

  @Field(() => [PeerEntry], { nullable: true, description: 'Groups of peers. Peers that are not listed stay.' })
  peers?: PeerEntry[] | null;

  @Field(() => [PolicyEntry], { nullable: true, description: 'All policies, by name; others are deleted.' })
  policies?: PolicyEntry[] | null;

  @Field(() => [NetworkEntry], { nullable: true, description: 'All networks, by name; others are deleted.' })
  networks?: NetworkEntry[] | null;
}
