import { Arg, Args, Ctx, Directive, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import { notFound } from '../../../../kernel/errors.js';
import { checkCursor, firstOf, isRowId } from '../../../../kernel/paging/paging.js';
import { checkText } from '../../../../kernel/scalars/text.js';
import { requirePlatform, requireRole, requireUser } from '../../../../kernel/security/viewer.js';
import { UserKeyArguments, userKeyOf } from '../../identity/user/user-key.js';
import type { AccountsContext } from '../../services.js';
import { addedNotifications, listNotifications, markAllRead, markRead } from './inbox.actions.js';
import { adminNotify, tellAdministrators, tellUser } from './message.actions.js';
import { checkLink } from './notification.rules.js';
import { NoticeSeverityEnum, type NoticeSeverity } from './severity.js';
import { NoticeKindEnum, Notification, NotificationPage, type NoticeKind } from './notification.js';

@Resolver()
export class NotificationResolver {
  @Directive(listSize('first'))
  @Query(() => NotificationPage, { description: 'Your notifications, newest first.' })
  notifications(
    @Arg('first', () => Int, { nullable: true, description: 'Page size: default 50, maximum 200.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `nextCursor` of the previous page.' })
    after: string | null,
    @Arg('unreadOnly', () => Boolean, { nullable: true, description: 'Whether to return only unread notifications.' })
    unreadOnly: boolean | null,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<NotificationPage> {
    const { userId } = requireUser(viewer);
    const request = { first: firstOf(first), after: checkCursor(after), unreadOnly: unreadOnly ?? false };
    return listNotifications(database, userId, request);
  }

  @Mutation(() => Notification, { description: 'Marks one of your notifications as read. Error NOT_FOUND.' })
  markNotificationRead(
    @Arg('id', () => String, { description: 'The id of the notification.' }) id: string,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<Notification> {
    const { userId } = requireUser(viewer);
    if (!isRowId(id)) throw notFound('There is no such notification.');
    return markRead(database, userId, id, now());
  }

  @Mutation(() => Int, { description: 'Marks all your notifications as read; returns how many were unread.' })
  markAllNotificationsRead(@Ctx() { viewer, database, now }: AccountsContext): Promise<number> {
    return markAllRead(database, requireUser(viewer).userId, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description: 'Creates a notification for a user, once per key; internal. Returns false if the key was used before.',
  })
  tellUser(
    @Arg('userId', () => Int, { description: 'The user.' }) userId: number,
    @Arg('kind', () => NoticeKindEnum, { description: 'Kind of notification.' }) kind: NoticeKind,
    @Arg('key', () => String, {
      description: 'Idempotency key, prefixed with the name of the sending subgraph; repeating it creates nothing.',
    })
    key: string,
    @Arg('title', () => String, { description: 'Title.' }) title: string,
    @Arg('text', () => String, { description: 'Text of the notification.' }) text: string,
    @Arg('link', () => String, { nullable: true, description: 'Path of a related page, relative to the public URL.' })
    link: string | null,
    @Arg('severity', () => NoticeSeverityEnum, { nullable: true, description: 'Severity; default: that of its kind.' })
    severity: NoticeSeverity | null,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    requirePlatform(context.viewer);
    const optional = { ...(link != null && { link }), ...(severity != null && { severity }) };
    return tellUser(context, { userId, kind, key, title, text, ...optional });
  }

  @Directive('@inaccessible')
  @Mutation(() => Int, {
    description: 'Notifies every administrator, once per key; internal. Returns how many notifications are new.',
  })
  tellAdministrators(
    @Arg('key', () => String, { description: 'Idempotency key, prefixed with the name of the sending subgraph.' })
    key: string,
    @Arg('title', () => String, { description: 'Title.' }) title: string,
    @Arg('text', () => String, { description: 'Text of the notification.' }) text: string,
    @Ctx() context: AccountsContext,
  ): Promise<number> {
    requirePlatform(context.viewer);
    return tellAdministrators(context, { kind: 'account', key, title, text });
  }

  @Mutation(() => Boolean, {
    description:
      'Creates a notification for a user. Requires the role ADMIN. Returns false if the key was used before. Errors BAD_REQUEST, NOT_FOUND.',
  })
  adminNotify(
    @Args(() => UserKeyArguments) user: UserKeyArguments,
    @Arg('kind', () => NoticeKindEnum, { description: 'Kind of notification.' }) kind: NoticeKind,
    @Arg('title', () => String, { description: 'Title, 1 to 200 characters.' }) title: string,
    @Arg('text', () => String, { description: 'Text, 1 to 5000 characters.' }) text: string,
    @Arg('link', () => String, { nullable: true, description: 'Path of a related page, e.g. /billing.' })
    link: string | null,
    @Arg('severity', () => NoticeSeverityEnum, { nullable: true, description: 'Severity; default: that of its kind.' })
    severity: NoticeSeverity | null,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description: 'Idempotency key: repeating it creates nothing more.',
    })
    key: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    requireRole(context.viewer, 'ADMIN');
    checkText('title', title, 200);
    checkText('text', text, 5_000);
    checkLink(link);
    if (key != null) checkText('idempotencyKey', key, 200);
    return adminNotify(context, { user: userKeyOf(user), kind, title, text, link, severity, key });
  }

  @Subscription(() => Notification, {
    description: 'Each new notification of yours, once. With `after`, the notifications since that id come first.',
    subscribe: ({ args, context }: { args: { after?: string | null }; context: AccountsContext }) =>
      addedNotifications(context, checkCursor(args.after)),
  })
  notificationAdded(
    @Arg('after', () => String, {
      nullable: true,
      description: 'The id of the newest notification you have; "0" for none.',
    })
    _after: string | null,
    @Root() notification: Notification,
  ): Notification {
    return notification;
  }
}
