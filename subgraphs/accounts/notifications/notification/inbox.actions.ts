import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { inState, SourceState } from '../../../../kernel/events/sources/states.js';
import { cursorPage } from '../../../../kernel/paging/paging.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';
import { balanceTopic } from '../../ledger/transfer/transfer.actions.js';
import { NOTIFICATION_COLUMNS, type Notification, type NotificationPage } from './notification.js';
import type { InboxPosition } from './inbox-position.js';
import { notificationTopic } from './notification.actions.js';

/** The requested page of notifications. */
export interface InboxRequest {
  /** 1 to 200. */
  readonly first: number;
  /** Returns notifications older than this one; undefined: from the newest. */
  readonly after: string | undefined;
  readonly unreadOnly: boolean;
}

const LIST = query(
  'notifications-of-user',
  (db: Tables, value: { userId: number; after: string | null; unreadOnly: boolean; limit: number }) =>
    db
      .selectFrom('notification as n')
      .select(NOTIFICATION_COLUMNS)
      .where('n.userId', '=', value.userId)
      .where(sql<boolean>`(${value.after}::bigint IS NULL OR n.id < ${value.after})`)
      .where(sql<boolean>`(NOT ${value.unreadOnly}::boolean OR n.read_at IS NULL)`)
      .orderBy('n.id', 'desc')
      .limit(value.limit),
);

const COUNT = sql<number>`count(*)::integer`.as('count');

const COUNT_UNREAD = query('notifications-unread', (db: Tables, value: { userId: number }) =>
  db.selectFrom('notification').select(COUNT).where('userId', '=', value.userId).where('readAt', 'is', null),
);

/** A page of the user's notifications, newest first. */
export async function listNotifications(
  database: Database,
  userId: number,
  { first, after, unreadOnly }: InboxRequest,
): Promise<NotificationPage> {
  const [found, [unread]] = await Promise.all([
    database.run(LIST, { userId, after: after ?? null, unreadOnly, limit: first + 1 }),
    database.run(COUNT_UNREAD, { userId }),
  ]);
  return { ...cursorPage(found, first, ({ id }) => id), unreadCount: unread?.count ?? 0 };
}

const MARK = query('notification-mark-read', (db: Tables, value: { userId: number; id: string; now: Date }) =>
  db
    .updateTable('notification as n')
    .set({ readAt: sql`coalesce(read_at, ${value.now})` })
    .where((eb) => eb.and({ 'n.userId': value.userId, 'n.id': value.id }))
    .returning(NOTIFICATION_COLUMNS),
);

/** Marks a notification as read; repeating keeps the first time. @throws NOT_FOUND for unknown ids and other users' notifications */
export async function markRead(database: Database, userId: number, id: string, now: Date): Promise<Notification> {
  const [notification] = await database.run(MARK, { userId, id, now });
  if (!notification) throw notFound('There is no such notification.');
  return notification;
}

const MARK_ALL = query('notifications-mark-all-read', (db: Tables, value: { userId: number; now: Date }) =>
  db
    .with('marked', (part) =>
      part
        .updateTable('notification')
        .set({ readAt: value.now })
        .where('userId', '=', value.userId)
        .where('readAt', 'is', null)
        .returning('id'),
    )
    .selectFrom('marked')
    .select(COUNT),
);

/** Marks all unread notifications as read. @returns how many there were */
export async function markAllRead(database: Database, userId: number, now: Date): Promise<number> {
  const [marked] = await database.run(MARK_ALL, { userId, now });
  return marked?.count ?? 0;
}

/** Overlap of two reads: a transaction that began earlier can commit an older id later. Longer than any transaction. */
const OVERLAP_MS = 600_000;

const PRESENT = query('notifications-present', (db: Tables, value: { userId: number; before: Date }) =>
  db
    .selectFrom('notification')
    .select([
      sql<string>`coalesce(max(id), 0)::text`.as('known'),
      sql<string>`pg_current_snapshot()::text`.as('snapshot'),
    ])
    .where('userId', '=', value.userId)
    .where('createdAt', '<', value.before),
);

/** Rows of one read of missed notifications. */
const PAGE_SIZE = 200;

// Compares snapshots: comparing ids would miss an id that is committed after a higher one.
const ADDED = query(
  'notifications-added',
  (db: Tables, value: { userId: number; after: string; known: string; snapshot: string | null; upTo: string | null }) =>
    db
      .selectFrom('notification as n')
      .select(NOTIFICATION_COLUMNS)
      .where('n.userId', '=', value.userId)
      .where('n.id', '>', value.after)
      .where('n.id', '>', value.known)
      .where(
        sql<boolean>`(${value.snapshot}::pg_snapshot IS NULL OR NOT pg_visible_in_snapshot(n.added_by, ${value.snapshot}))`,
      )
      .where(sql<boolean>`pg_visible_in_snapshot(n.added_by, ${value.upTo}::pg_snapshot)`)
      .orderBy('n.id')
      .limit(sql.lit(PAGE_SIZE)),
);

/**
 * Yields each new notification of the user once: first those after the given one, if any. All subscribers of a user share
 * the snapshots.
 */
export async function* addedNotifications(
  context: AccountsContext,
  after: string | undefined,
): AsyncGenerator<Notification | SourceState> {
  let position = startPosition(context.resumeFrom, after);
  for await (const present of inboxOf(context)) {
    position ??= present;
    while (position.snapshot !== present.snapshot) {
      const upTo: string | null = position.upTo ?? present.snapshot;
      const value = { userId: requireUser(context.viewer).userId, after: after ?? '0', ...position, upTo };
      const page: Notification[] = await context.database.run(ADDED, value);
      for (const notification of page) {
        position = { ...position, known: notification.id, upTo };
        yield inState(notification, JSON.stringify(position));
      }
      if (page.length < PAGE_SIZE) position = upTo === present.snapshot ? present : { snapshot: upTo, known: '0' };
    }
    yield new SourceState(JSON.stringify(position));
  }
}

/** Returns where a subscription starts; undefined: at the current state, so only later notifications are sent. */
function startPosition(resumeFrom: string | undefined, after: string | undefined): InboxPosition | undefined {
  if (resumeFrom !== undefined) return JSON.parse(resumeFrom) as InboxPosition;
  return after === undefined ? undefined : { snapshot: null, known: '0' };
}

function inboxOf({ viewer, database, events, services, signal, now }: AccountsContext): AsyncGenerator<InboxPosition> {
  const { userId } = requireUser(viewer);
  const [{ topic }, balance] = [notificationTopic(userId), balanceTopic(userId)];
  // Notifications created by ledger triggers are published as balance changes.
  const changes = { subscribe: (_: unknown, stop: AbortSignal) => events.subscribe([topic, balance.topic], stop) };
  const read = async () => (await database.run(PRESENT, { userId, before: new Date(now().getTime() - OVERLAP_MS) }))[0];
  return services.inboxes.follow({ topic, events: changes, read, signal });
}
