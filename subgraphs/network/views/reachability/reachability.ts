import { Field, Int, ObjectType } from 'type-graphql';
import { Policy, ProtocolEnum, type Protocol } from '../../graph/policy/policy.js';

@ObjectType({ description: 'Whether packets arrive, and why.', simpleResolvers: true })
export class Reachability {
  @Field(() => Boolean, { description: 'Whether all packets of the request arrive.' })
  reachable!: boolean;

  @Field(() => Policy, { nullable: true, description: 'The policy that decides; null if there is none.' })
  policy!: Policy | null;

  @Field(() => String, { description: 'The reason, one sentence.' })
  reason!: string;
}

@ObjectType({ description: 'Traffic from one node of the topology to another.', simpleResolvers: true })
export class PlannedTraffic {
  @Field(() => String, { description: 'The source node, e.g. `peer:3`.' })
  from!: string;

  @Field(() => String, { description: 'The destination node, e.g. `peer:4` or `resource:5`.' })
  to!: string;

  @Field(() => ProtocolEnum, { description: '`all` for every protocol.' })
  protocol!: Protocol;

  @Field(() => [String], { description: '`80` or `8000-8100`. Empty: every port.' })
  ports!: string[];
}

@ObjectType({ description: 'The effect of a policy change before it is made.', simpleResolvers: true })
export class PolicyPlan {
  @Field(() => [PlannedTraffic], { description: 'Traffic that would become allowed, at most 500 entries.' })
  opens!: PlannedTraffic[];

  @Field(() => [PlannedTraffic], { description: 'Traffic that would become blocked, at most 500 entries.' })
  closes!: PlannedTraffic[];

  @Field(() => Int, {
    description: 'Total number of entries that would become allowed, one per pair of nodes and protocol.',
  })
  opensTotal!: number;

  @Field(() => Int, { description: 'Total number of entries that would become blocked, counted the same way.' })
  closesTotal!: number;
}
