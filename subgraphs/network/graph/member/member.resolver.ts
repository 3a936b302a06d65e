import { Args, ArgsType, Ctx, Field, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { changeMember } from './member.actions.js';
import { MemberActionEnum, MemberChange, type MemberAction } from './member.js';

@ArgsType()
class MemberArgs {
  @Field(() => Int, { description: 'One of your groups.' })
  groupId!: number;

  @Field(() => Int, { description: 'One of your peers.' })
  peerId!: number;

  @Field(() => MemberActionEnum, { nullable: true, description: 'Default: `add`.' })
  action?: MemberAction | null;
}

@Resolver(() => MemberChange)
export class MemberResolver {
  @Mutation(() => MemberChange, {
    description:
      'Adds a peer to a group or removes it. Safe to repeat. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND for the group, BAD_REQUEST for a peer that is not yours, CONFLICT for the last group of a peer.',
  })
  async changeMember(
    @Args(() => MemberArgs) { groupId, peerId, action }: MemberArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<MemberChange> {
    const change = { viewer: requireUser(viewer), now: now() };
    return changeMember(database, change, { groupId, peerId, action: action ?? 'add' });
  }
}
