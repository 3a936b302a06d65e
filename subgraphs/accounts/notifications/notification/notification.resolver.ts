import { Arg, Ctx, Directive, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { notFound } from '../../../../kernel/errors.js';
import { requirePlatform, requireRole, requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { addedNotifications, listNotifications, markAllRead, markRead } from './inbox.actions.js';
import { adminNotify, tellUser } from './message.actions.js';
import { checkCursor, checkFirst, checkLink, checkText, isRowId } from './notification.rules.js';
import { NoticeKindEnum, Notification, NotificationPage, type NoticeKind } from './notification.js';

@Resolver()
export class NotificationResolver {
  @Query(() => NotificationPage, { description: 'What you were told, newest first.' })
  notifications(
    @Arg('first', () => Int, { nullable: true, description: 'Default 50, at most 200.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `nextCursor` of the page before.' })
    after: string | null,
    @Arg('unreadOnly', () => Boolean, { nullable: true, description: 'Leaves out what you have read.' })
    unreadOnly: boolean | null,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<NotificationPage> {
    const { userId } = requireUser(viewer);
    const request = { first: checkFirst(first), after: checkCursor(after), unreadOnly: unreadOnly ?? false };
    return listNotifications(database, userId, request);
  }

  @Mutation(() => Notification, { description: 'Marks one of yours as read. Error NOT_FOUND.' })
  markNotificationRead(
    @Arg('id', () => String, { description: 'The id of the notification.' }) id: string,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<Notification> {
    const { userId } = requireUser(viewer);
    if (!isRowId(id)) throw notFound('There is no such notification.');
    return markRead(database, userId, id, now());
  }

  @Mutation(() => Int, { description: 'Marks all of yours as read; answers how many were not.' })
  markAllNotificationsRead(@Ctx() { viewer, database, now }: AccountsContext): Promise<number> {
    return markAllRead(database, requireUser(viewer).userId, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description:
      'Tells a user something, once for a key, for other parts of the platform. False: the same key told it before.',
  })
  tellUser(
    @Arg('userId', () => Int, { description: 'Whom.' }) userId: number,
    @Arg('kind', () => NoticeKindEnum, { description: 'What it is about.' }) kind: NoticeKind,
    @Arg('key', () => String, { description: 'The same again tells nothing; begins with the part that tells it.' })
    key: string,
    @Arg('title', () => String, { description: 'A headline.' }) title: string,
    @Arg('text', () => String, { description: 'What there is to say.' }) text: string,
    @Arg('link', () => String, { nullable: true, description: 'Where to look further, below the public address.' })
    link: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    requirePlatform(context.viewer);
    return tellUser(context, { userId, kind, key, title, text, ...(link !== null && { link }) });
  }

  @Mutation(() => Boolean, {
    description: 'Tells a user something. Needs the role ADMIN. False: the same key told it before. Error NOT_FOUND.',
  })
  adminNotify(
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Arg('kind', () => NoticeKindEnum, { description: 'What it is about.' }) kind: NoticeKind,
    @Arg('title', () => String, { description: 'A headline, 1 to 200 characters.' }) title: string,
    @Arg('text', () => String, { description: 'What there is to say, 1 to 5000 characters.' }) text: string,
    @Arg('link', () => String, { nullable: true, description: 'Where to look further, e.g. /billing.' })
    link: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: 'The same key again tells nothing more.' })
    key: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<boolean> {
    requireRole(context.viewer, 'ADMIN');
    checkText(title, 'title', 200);
    checkText(text, 'text', 5_000);
    checkLink(link);
    if (key != null) checkText(key, 'idempotencyKey', 200);
    return adminNotify(context, { substrateAddress, kind, title, text, link, key });
  }

  @Subscription(() => Notification, {
    description: 'Each new notification of yours, once; with `after`, first those that followed it.',
    subscribe: ({ args, context }: { args: { after?: string | null }; context: AccountsContext }) =>
      addedNotifications(context, checkCursor(args.after)),
  })
  notificationAdded(
    @Arg('after', () => String, { nullable: true, description: 'The id of the newest that you know; "0" for none.' })
    _after: string | null,
    @Root() notification: Notification,
  ): Notification {
    return notification;
  }
}
