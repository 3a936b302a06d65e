import { Field, Int, ObjectType } from 'type-graphql';
import { PolicyActionEnum, ProtocolEnum, type PolicyAction, type Protocol } from '../policy/policy.js';

@ObjectType({ description: 'What a node stands for.', simpleResolvers: true })
export class TopologyNodeMeta {
  @Field(() => Int, { nullable: true, description: 'The group.' })
  groupId!: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is the default group.' })
  isDefault!: boolean | null;
}

@ObjectType({ description: 'A node of the graph.', simpleResolvers: true })
export class TopologyNode {
  @Field(() => String, { description: '`kind:pk`, e.g. `group:17`.' })
  id!: string;

  @Field(() => String, { description: '`group`, `peer`, `resource` or `router`.' })
  type!: string;

  @Field(() => String, { description: 'What to call it.' })
  label!: string;

  @Field(() => TopologyNodeMeta, { description: 'What it stands for.' })
  meta!: TopologyNodeMeta;
}

@ObjectType({ description: 'What an edge stands for.', simpleResolvers: true })
export class TopologyEdgeMeta {
  @Field(() => Int, { nullable: true, description: 'The policy to change when the edge is edited.' })
  policyId!: number | null;

  @Field(() => Boolean, { description: 'Whether it is read-only.' })
  isManaged!: boolean;

  @Field(() => ProtocolEnum, { nullable: true, description: 'What traffic the policy speaks of.' })
  protocol!: Protocol | null;

  @Field(() => [String], { nullable: true, description: 'Ports of the destination; none: every port.' })
  ports!: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it also holds from target to source.' })
  bidirectional!: boolean | null;

  @Field(() => PolicyActionEnum, { nullable: true, description: 'What the policy does.' })
  action!: PolicyAction | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the policy is in force.' })
  enabled!: boolean | null;
}

@ObjectType({ description: 'An edge of the graph.', simpleResolvers: true })
export class TopologyEdge {
  @Field(() => String, { description: '`kind:pk`, e.g. `policy:4`.' })
  id!: string;

  @Field(() => String, { description: '`policy`, `route` or `router-binding`.' })
  type!: string;

  @Field(() => String, { description: 'Id of the node it leads from.' })
  source!: string;

  @Field(() => String, { description: 'Id of the node it leads to.' })
  target!: string;

  @Field(() => TopologyEdgeMeta, { description: 'What it stands for.' })
  meta!: TopologyEdgeMeta;
}

@ObjectType({ description: 'A private network as a graph.', simpleResolvers: true })
export class Topology {
  @Field(() => Int, { description: 'Grows with every change.' })
  revision!: number;

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
