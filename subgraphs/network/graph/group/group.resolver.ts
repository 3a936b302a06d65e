import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { createGroup, deleteGroup, listGroups, updateGroup } from './group.actions.js';
import { Group } from './group.js';
import { checkLabel } from './group.rules.js';

@Resolver(() => Group)
export class GroupResolver {
  @Query(() => [Group], {
    description:
      'Your groups, oldest first; the default group is the first. Error FORBIDDEN until your private network is provisioned.',
  })
  groups(@Ctx() { viewer, database }: Context): Promise<Group[]> {
    return listGroups(database, requireUser(viewer));
  }

  @Mutation(() => Group, {
    description:
      'Creates a group. Errors: BAD_REQUEST for the label, FORBIDDEN until your private network is provisioned, CONFLICT when the label is taken.',
  })
  async createGroup(
    @Arg('label', () => String, { description: '1 to 50 lower-case letters, digits and dashes.' }) label: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Group> {
    const user = requireUser(viewer);
    checkLabel(label);
    return createGroup(database, { viewer: user, now: now() }, label);
  }

  @Mutation(() => Group, {
    description:
      'Renames a group. It keeps its id, its members and its policies, which keep their names; no machine gets another configuration. Errors: BAD_REQUEST for the label, FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for the default group and when the label is taken.',
  })
  async updateGroup(
    @Arg('id', () => Int, { description: 'The group.' }) id: number,
    @Arg('label', () => String, { description: '1 to 50 lower-case letters, digits and dashes.' }) label: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Group> {
    const user = requireUser(viewer);
    checkLabel(label);
    return updateGroup(database, { viewer: user, now: now() }, { id, label });
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes a group. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for the default group and for a group in use.',
  })
  async deleteGroup(
    @Arg('id', () => Int, { description: 'The group.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deleteGroup(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
