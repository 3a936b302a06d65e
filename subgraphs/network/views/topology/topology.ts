import { Field, Int, ObjectType } from 'type-graphql';
import { PeerStatusEnum, type PeerStatus } from '../../graph/peer/peer.js';
import { PolicyActionEnum, ProtocolEnum, type PolicyAction, type Protocol } from '../../graph/policy/policy.js';
import { ADDRESSES, ENFORCED, ResourceKindEnum } from '../../graph/resource/resource.js';
import type { ResourceKind } from '../../graph/address/address.rules.js';

@ObjectType({ description: 'Details of a node. Fields that its type does not have are null.', simpleResolvers: true })
export class TopologyNodeMeta {
  @Field(() => Int, { nullable: true, description: 'Of a group: its id.' })
  groupId?: number;

  @Field(() => Boolean, { nullable: true, description: 'Of a group: whether it is the default group.' })
  isDefault?: boolean;

  @Field(() => Int, { nullable: true, description: 'Of a peer: its id. Of a router: the id of its peer.' })
  peerId?: number;

  @Field(() => String, { nullable: true, description: 'Of a peer: its overlay address.' })
  ip?: string;

  @Field(() => PeerStatusEnum, { nullable: true, description: 'Of a peer: its status.' })
  status?: PeerStatus;

  @Field(() => Int, { nullable: true, description: 'Of a resource: its id.' })
  resourceId?: number;

  @Field(() => String, { nullable: true, description: 'Of a resource: its address.' })
  address?: string;

  @Field(() => ResourceKindEnum, { nullable: true, description: 'Of a resource: the type of its address.' })
  kind?: ResourceKind;

  @Field(() => Boolean, {
    nullable: true,
    description: `Of a resource: ${ENFORCED.charAt(0).toLowerCase()}${ENFORCED.slice(1)}`,
  })
  enforced?: boolean;

  @Field(() => [String], { nullable: true, description: `Of a domain: ${ADDRESSES}` })
  addresses?: string[];

  @Field(() => Int, { nullable: true, description: 'Of a router: its id.' })
  routerId?: number;

  @Field(() => Int, { nullable: true, description: 'Of a resource or a router: its network.' })
  networkId?: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Of a router: whether packets to resources get its address as their source.',
  })
  masquerade?: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Of a router: its metric; the router with the lowest metric is used.',
  })
  metric?: number;

  @Field(() => Boolean, { nullable: true, description: 'Of a resource or a router: whether it is in effect.' })
  enabled?: boolean;

  @Field(() => [Int], { nullable: true, description: 'Of a peer or a resource: its groups.' })
  groups?: number[];
}

@ObjectType({ description: 'A node of the graph.', simpleResolvers: true })
export class TopologyNode {
  @Field(() => String, { description: '`kind:pk`, e.g. `group:17`.' })
  id!: string;

  @Field(() => String, { description: '`group`, `peer`, `resource` or `router`.' })
  type!: string;

  @Field(() => String, { description: 'The label to show.' })
  label!: string;

  @Field(() => TopologyNodeMeta, { description: 'The details of the node. Their fields depend on its type.' })
  meta!: TopologyNodeMeta;
}

@ObjectType({ description: 'Details of an edge. Fields that its type does not have are null.', simpleResolvers: true })
export class TopologyEdgeMeta {
  @Field(() => Int, { nullable: true, description: 'Of a policy: its id, for editing.' })
  policyId?: number;

  @Field(() => Boolean, {
    description: 'Whether the edge is read-only: all edges except the policies that you can edit.',
  })
  isManaged!: boolean;

  @Field(() => ProtocolEnum, { nullable: true, description: 'Of a policy: its protocol.' })
  protocol?: Protocol;

  @Field(() => [String], { nullable: true, description: 'Of a policy: its destination ports. Empty: every port.' })
  ports?: string[];

  @Field(() => Boolean, { nullable: true, description: 'Of a policy: whether it also applies from target to source.' })
  bidirectional?: boolean;

  @Field(() => PolicyActionEnum, { nullable: true, description: 'Of a policy: its action.' })
  action?: PolicyAction;

  @Field(() => Boolean, { nullable: true, description: 'Of a policy: whether it is in effect.' })
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

  @Field(() => String, { description: 'Id of the source node.' })
  source!: string;

  @Field(() => String, { description: 'Id of the target node.' })
  target!: string;

  @Field(() => TopologyEdgeMeta, { description: 'The details of the edge. Their fields depend on its type.' })
  meta!: TopologyEdgeMeta;
}

@ObjectType({ description: 'A private network as a graph.', simpleResolvers: true })
export class Topology {
  @Field(() => Int, { description: 'Increases with every change.' })
  revision!: number;

  @Field(() => String, { description: 'Identifies this state of the network; used as the ETag.' })
  version!: string;

  @Field(() => [TopologyNode], { description: 'All nodes of the graph.' })
  nodes!: TopologyNode[];

  @Field(() => [TopologyEdge], { description: 'All edges of the graph.' })
  edges!: TopologyEdge[];
}

@ObjectType({
  description: 'A change of a graph. The first one of a subscription is the whole graph.',
  simpleResolvers: true,
})
export class TopologyChange {
  @Field(() => Int, { description: 'The revision after this change.' })
  revision!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'The revision before this change; null for the whole graph. If it differs from the client’s revision, a change was missed: read the topology again.',
  })
  from!: number | null;

  @Field(() => Boolean, { description: 'Whether nodes and edges are the whole graph.' })
  isWhole!: boolean;

  @Field(() => [TopologyNode], { description: 'New and changed nodes.' })
  nodes!: TopologyNode[];

  @Field(() => [TopologyEdge], { description: 'New and changed edges.' })
  edges!: TopologyEdge[];

  @Field(() => [String], { description: 'Ids of deleted nodes.' })
  removedNodes!: string[];

  @Field(() => [String], { description: 'Ids of deleted edges.' })
  removedEdges!: string[];
}
