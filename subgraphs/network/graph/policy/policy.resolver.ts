import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from './policy.actions.js';
import { PolicySpecArgs } from './policy-spec.js';
import { Policy } from './policy.js';

@ArgsType()
class NewPolicyArgs extends PolicySpecArgs {
  @Field(() => Int, { description: 'One of your groups.' })
  sourceGroupId!: number;

  @Field(() => Int, { description: 'One of your groups.' })
  destGroupId!: number;
}

@ArgsType()
class ChangedPolicyArgs extends PolicySpecArgs {
  @Field(() => Int, { description: 'The policy.' })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'One of your groups.' })
  sourceGroupId?: number | null;

  @Field(() => Int, { nullable: true, description: 'One of your groups.' })
  destGroupId?: number | null;
}

@Resolver(() => Policy)
export class PolicyResolver {
  @Query(() => [Policy], {
    description:
      'Your policies, oldest first; the managed policy is the first. Error FORBIDDEN until your private network is provisioned.',
  })
  policies(@Ctx() { viewer, database }: Context): Promise<Policy[]> {
    return listPolicies(database, requireUser(viewer));
  }

  @Mutation(() => Policy, {
    description:
      'Creates a policy. Errors: BAD_REQUEST for its fields and for groups that are not yours, FORBIDDEN until your private network is provisioned.',
  })
  async createPolicy(
    @Args(() => NewPolicyArgs) input: NewPolicyArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Policy> {
    return createPolicy(database, { viewer: requireUser(viewer), now: now() }, input);
  }

  @Mutation(() => Policy, {
    description:
      'Updates a policy. Omitted fields keep their values, except that ports are cleared when the new protocol has no ports. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, BAD_REQUEST, CONFLICT for a managed policy.',
  })
  async updatePolicy(
    @Args(() => ChangedPolicyArgs) { id, ...input }: ChangedPolicyArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Policy> {
    return updatePolicy(database, { viewer: requireUser(viewer), now: now() }, { id, input });
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes a policy. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for a managed policy.',
  })
  async deletePolicy(
    @Arg('id', () => Int, { description: 'The policy.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deletePolicy(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
