import { Arg, Args, ArgsType, Ctx, Directive, Field, Int, Query, Resolver } from 'type-graphql';
import { COMPILES } from '../costs.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { ProtocolEnum, type Protocol } from '../../graph/policy/policy.js';
import { PolicySpecArgs } from '../../graph/policy/policy-spec.js';
import type { NetworkContext } from '../../services.js';
import { decideReachability, planPolicy } from './reachability.actions.js';
import { PolicyPlan, Reachability } from './reachability.js';

@ArgsType()
class PolicyProposalArgs extends PolicySpecArgs {
  @Field(() => Int, { nullable: true, description: 'The policy to change. Default: a new policy.' })
  id?: number | null;

  @Field(() => Int, { nullable: true, description: 'One of your groups. Required for a new policy.' })
  sourceGroupId?: number | null;

  @Field(() => Int, { nullable: true, description: 'One of your groups. Required for a new policy.' })
  destGroupId?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to delete the policy.' })
  delete?: boolean | null;
}

@Resolver()
export class ReachabilityResolver {
  @Directive(COMPILES)
  @Query(() => Reachability, {
    description:
      'Whether packets from one node of your topology reach another, and which policy decides. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST for nodes that are not yours and invalid ports.',
  })
  async reachability(
    @Arg('from', () => String, { description: 'A node of the topology: `peer:3`.' }) from: string,
    @Arg('to', () => String, { description: 'A node of the topology: `peer:4` or `resource:5`.' }) to: string,
    @Arg('protocol', () => ProtocolEnum, { nullable: true, description: 'Default: `all`.' })
    protocol: Protocol | null,
    @Arg('port', () => Int, { nullable: true, description: 'A tcp or udp port. Default: every port.' })
    port: number | null,
    @Ctx() context: NetworkContext,
  ): Promise<Reachability> {
    const user = requireUser(context.viewer);
    const question = { from, to, protocol: protocol ?? 'all', port: port ?? undefined };
    return context.services.reading.take(`${user.userId}`, () => decideReachability(context, user, question));
  }

  @Directive(COMPILES)
  @Query(() => PolicyPlan, {
    description:
      'What creating, changing or deleting a policy would allow and block, without doing it. Errors: the same as for the change itself; BAD_REQUEST when there are too many policies to plan it; UNAVAILABLE when the network takes too long to compile; RATE_LIMITED when too many of these requests are waiting.',
  })
  async planPolicy(
    @Args(() => PolicyProposalArgs) { id, delete: isDeletion, ...input }: PolicyProposalArgs,
    @Ctx() { viewer, database, services }: NetworkContext,
  ): Promise<PolicyPlan> {
    const proposal = { id: id ?? undefined, input, isDeletion: isDeletion ?? false };
    return planPolicy({ database, compiler: services.compiler }, requireUser(viewer), proposal);
  }
}
