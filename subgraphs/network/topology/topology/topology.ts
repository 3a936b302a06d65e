import { Field, Int, ObjectType } from 'type-graphql';
import { PeerStatusEnum, type PeerStatus } from '../../graph/peer/peer.js';
import { PolicyActionEnum, ProtocolEnum, type PolicyAction, type Protocol } from '../../graph/policy/policy.js';
import { ADDRESSES, ENFORCED, ResourceKindEnum } from '../../graph/resource/resource.js';
import type { ResourceKind } from '../../graph/address/address.rules.js';

@ObjectType({ description: 'What a node stands for; what its type does not have is null.', simpleResolvers: true })
export class TopologyNodeMeta {
  @Field(() => Int, { nullable: true, description: 'Of a group: itself.' })
  groupId?: number;

  @Field(() => Boolean, { nullable: true, description: 'Of a group: whether it is the default one.' })
  isDefault?: boolean;

  @Field(() => Int, { nullable: true, description: 'Of a peer: itself. Of a router: its peer.' })
  peerId?: number;

  @Field(() => String, { nullable: true, description: 'Of a peer: its address in the overlay.' })
  ip?: string;

  @Field(() => PeerStatusEnum, { nullable: true, description: 'Of a peer: how far it is.' })
  status?: PeerStatus;

  @Field(() => Int, { nullable: true, description: 'Of a resource: itself.' })
  resourceId?: number;

  @Field(() => String, { nullable: true, description: 'Of a resource: its address.' })
  address?: string;

  @Field(() => ResourceKindEnum, { nullable: true, description: 'Of a resource: what its address stands for.' })
  kind?: ResourceKind;

  @Field(() => Boolean, {
    nullable: true,
    description: `Of a resource: ${ENFORCED.charAt(0).toLowerCase()}${ENFORCED.slice(1)}`,
  })
  enforced?: boolean;

  @Field(() => [String], { nullable: true, description: `Of a domain: ${ADDRESSES}` })
  addresses?: string[];

  @Field(() => Int, { nullable: true, description: 'Of a router: itself.' })
  routerId?: number;

  @Field(() => Int, { nullable: true, description: 'Of a resource or a router: its network.' })
  networkId?: number;

  @Field(() => Boolean, { nullable: true, description: 'Of a router: whether resources see it as the sender.' })
  masquerade?: boolean;

  @Field(() => Int, { nullable: true, description: 'Of a router: of several the one with the lowest is taken.' })
  metric?: number;

  @Field(() => Boolean, { nullable: true, description: 'Of a resource or a router: whether it is in force.' })
  enabled?: boolean;

  @Field(() => [Int], { nullable: true, description: 'Of a peer or a resource: the groups it is in.' })
  groups?: number[];
}

@ObjectType({ description: 'A node of the graph.', simpleResolvers: true })
export class TopologyNode {
  @Field(() => String, { description: '`kind:pk`, e.g. `group:17`.' })
  id!: string;

  @Field(() => String, { description: '`group`, `peer`, `resource` or `router`.' })
  type!: string;

  @Field(() => String, { description: 'What to call it.' })
  label!: string;

  @Field(() => TopologyNodeMeta, { description: 'What it stands for: which fields there are depends on its type.' })
  meta!: TopologyNodeMeta;
}

@ObjectType({ description: 'What an edge stands for; what its type does not have is null.', simpleResolvers: true })
export class TopologyEdgeMeta {
  @Field(() => Int, { nullable: true, description: 'Of a policy: itself, to change when the edge is edited.' })
  policyId?: number;

  @Field(() => Boolean, { description: 'Whether it is read-only, as all are that are no policies.' })
  isManaged!: boolean;

  @Field(() => ProtocolEnum, { nullable: true, description: 'Of a policy: what traffic it speaks of.' })
  protocol?: Protocol;

  @Field(() => [String], { nullable: true, description: 'Of a policy: ports of the destination; none: every port.' })
  ports?: string[];

  @Field(() => Boolean, { nullable: true, description: 'Of a policy: whether it also holds from target to source.' })
  bidirectional?: boolean;

  @Field(() => PolicyActionEnum, { nullable: true, description: 'Of a policy: what it does.' })
  action?: PolicyAction;

  @Field(() => Boolean, { nullable: true, description: 'Of a policy: whether it is in force.' })
  enabled?: boolean;

  @Field(() => Int, { nullable: true, description: 'Of a route or router-binding: its router.' })
  routerId?: number;

  @Field(() => Int, { nullable: true, description: 'Of a route or router-binding: its network.' })
  networkId?: number;

  @Field(() => Int, { nullable: true, description: 'Of a router-binding: its peer.' })
  peerId?: number;

  @Field(() => Int, { nullable: true, description: 'Of a route: its resource.' })
  resourceId?: number;
}

@ObjectType({ description: 'An edge of the graph.', simpleResolvers: true })
export class TopologyEdge {
  @Field(() => String, {
    description: '`policy:<policy>`, `route:<router>-<resource>` or `router-binding:<router>`.',
  })
  id!: string;

  @Field(() => String, { description: '`policy`, `route` or `router-binding`.' })
  type!: string;

  @Field(() => String, { description: 'Id of the node it leads from.' })
  source!: string;

  @Field(() => String, { description: 'Id of the node it leads to.' })
  target!: string;

  @Field(() => TopologyEdgeMeta, { description: 'What it stands for: which fields there are depends on its type.' })
  meta!: TopologyEdgeMeta;
}

@ObjectType({ description: 'A private network as a graph.', simpleResolvers: true })
export class Topology {
  @Field(() => Int, { description: 'Grows with every change.' })
  revision!: number;

  @Field(() => String, { description: 'Names this state of this network: an ETag.' })
  version!: string;

  @Field(() => [TopologyNode], { description: 'All nodes.' })
  nodes!: TopologyNode[];

  @Field(() => [TopologyEdge], { description: 'All edges.' })
  edges!: TopologyEdge[];
}

@ObjectType({
  description: 'What changed in a graph. The first of a subscription is the whole graph.',
  simpleResolvers: true,
})
export class TopologyChange {
  @Field(() => Int, { description: 'The revision this leads to.' })
  revision!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'The revision this leads from; null where it is the whole graph. Who has another one missed something and asks for the topology again.',
  })
  from!: number | null;

  @Field(() => Boolean, { description: 'Whether nodes and edges are the whole graph.' })
  isWhole!: boolean;

  @Field(() => [TopologyNode], { description: 'Nodes that are new or different.' })
  nodes!: TopologyNode[];

  @Field(() => [TopologyEdge], { description: 'Edges that are new or different.' })
  edges!: TopologyEdge[];

  @Field(() => [String], { description: 'Ids of nodes that are gone.' })
  removedNodes!: string[];

  @Field(() => [String], { description: 'Ids of edges that are gone.' })
  removedEdges!: string[];
}
