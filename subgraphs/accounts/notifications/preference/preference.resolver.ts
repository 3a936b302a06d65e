import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/viewer.js';
import { changePreferences, preferencesOf } from './preference.actions.js';
import { NotificationPreferences, PreferenceChange } from './preference.js';

@Resolver()
export class PreferenceResolver {
  @Query(() => NotificationPreferences, { description: 'What you want to be told, and how.' })
  notificationPreferences(@Ctx() { viewer, database }: Context): Promise<NotificationPreferences> {
    return preferencesOf(database, requireUser(viewer).userId);
  }

  @Mutation(() => NotificationPreferences, {
    description: 'Changes what is given of your preferences and leaves the rest; answers all of them.',
  })
  updateNotificationPreferences(
    @Args(() => PreferenceChange) change: PreferenceChange,
    @Ctx() { viewer, database }: Context,
  ): Promise<NotificationPreferences> {
    const { userId } = requireUser(viewer);
    if (change.lowCreditLevel?.startsWith('-')) throw badRequest('`lowCreditLevel` must not be below zero.');
    return changePreferences(database, userId, change);
  }
}
