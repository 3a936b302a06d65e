import { Field, Int, ObjectType } from 'type-graphql';
import { Policy, ProtocolEnum, type Protocol } from '../../graph/policy/policy.js';

@ObjectType({ description: 'Whether packets arrive, and why.', simpleResolvers: true })
export class Reachability {
  @Field(() => Boolean, { description: 'Whether every packet that was asked about arrives.' })
  reachable!: boolean;

  @Field(() => Policy, { nullable: true, description: 'The policy that decides; null where none does.' })
  policy!: Policy | null;

  @Field(() => String, { description: 'The reason as a sentence.' })
  reason!: string;
}

@ObjectType({ description: 'Traffic from one node of the topology to another.', simpleResolvers: true })
export class PlannedTraffic {
  @Field(() => String, { description: 'Where it begins, e.g. `peer:3`.' })
  from!: string;

  @Field(() => String, { description: 'Where it goes, e.g. `peer:4` or `resource:5`.' })
  to!: string;

  @Field(() => ProtocolEnum, { description: '`all` where nothing is left out.' })
  protocol!: Protocol;

  @Field(() => [String], { description: '`80` or `8000-8100`; none: every port.' })
  ports!: string[];
}

@ObjectType({ description: 'What a change of policies would do, before it is made.', simpleResolvers: true })
export class PolicyPlan {
  @Field(() => [PlannedTraffic], { description: 'What would begin to be open, 500 at most.' })
  opens!: PlannedTraffic[];

  @Field(() => [PlannedTraffic], { description: 'What would cease to be open, 500 at most.' })
  closes!: PlannedTraffic[];

  @Field(() => Int, { description: 'How much would begin to be open, pair by pair and protocol by protocol.' })
  opensTotal!: number;

  @Field(() => Int, { description: 'How much would cease to be open, counted alike.' })
  closesTotal!: number;
}
