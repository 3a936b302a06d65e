import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { changePreferences, preferencesOf } from './preference.actions.js';
import { NotificationPreferences, PreferenceChange } from './preference.js';

@Resolver()
export class PreferenceResolver {
  @Query(() => NotificationPreferences, { description: 'Your notification preferences.' })
  notificationPreferences(@Ctx() { viewer, database }: Context): Promise<NotificationPreferences> {
    return preferencesOf(database, requireUser(viewer).userId);
  }

  @Mutation(() => NotificationPreferences, {
    description:
      'Changes your notification preferences; returns all of them. An omitted optional preference keeps its value.',
  })
  updateNotificationPreferences(
    @Args(() => PreferenceChange) change: PreferenceChange,
    @Ctx() { viewer, database }: Context,
  ): Promise<NotificationPreferences> {
    const { userId } = requireUser(viewer);
    if (change.lowCreditLevel?.startsWith('-')) throw badRequest('`lowCreditLevel` must not be negative.');
    return changePreferences(database, userId, change);
  }
}
