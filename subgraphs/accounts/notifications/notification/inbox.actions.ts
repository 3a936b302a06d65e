import { sql } from 'kysely';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { balanceTopic } from '../../ledger/transfer/transfer.actions.js';
import { NOTIFICATION_COLUMNS, type Notification, type NotificationPage } from './notification.js';
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
  const results = found.slice(0, first);
  const nextCursor = found.length > first ? (results.at(-1)?.id ?? null) : null;
  return { results, nextCursor, unreadCount: unread?.count ?? 0 };
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

const START = query('notifications-start', (db: Tables, value: { userId: number; before: Date }) =>
  db
    .selectFrom('notification')
    .select([
      sql<string>`coalesce(max(id), 0)::text`.as('floor'),
      sql<string>`pg_current_snapshot()::text`.as('snapshot'),
    ])
    .where('userId', '=', value.userId)
    .where('createdAt', '<', value.before),
);

/** Notifications held in memory at a time, however many were missed. */
const PAGE = 200;

// Compares snapshots: comparing ids would miss an id that is committed after a higher one.
const ADDED = query(
  'notifications-added',
  (db: Tables, value: { userId: number; known: string; snapshot: string | null; upTo: string | null }) =>
    db
      .selectFrom(sql<{ snapshot: string }>`(SELECT pg_current_snapshot()::text AS snapshot)`.as('s'))
      .leftJoin('notification as n', (join) =>
        join
          .on('n.userId', '=', value.userId)
          .on('n.id', '>', value.known)
          .on(
            sql<boolean>`(${value.snapshot}::pg_snapshot IS NULL OR NOT pg_visible_in_snapshot(n.added_by, ${value.snapshot}))`,
          )
          .on(sql<boolean>`(${value.upTo}::pg_snapshot IS NULL OR pg_visible_in_snapshot(n.added_by, ${value.upTo}))`),
      )
      .select(['s.snapshot', ...NOTIFICATION_COLUMNS])
      .orderBy('n.id')
      .limit(sql.lit(PAGE))
      .$castTo<Added>(),
);

type Added = { readonly snapshot: string } & (Notification | { readonly id: null });

/** Yields each new notification of the user once: first those after the given one, if any. */
export async function* addedNotifications(
  { viewer, database, events, signal, now }: Context,
  after: string | undefined,
): AsyncGenerator<Notification> {
  const { userId } = requireUser(viewer);
  // Notifications created by ledger triggers are published as balance changes.
  const topics = [notificationTopic(userId).topic, balanceTopic(userId).topic];
  const published = events.subscribe(topics, signal);
  const [start] = await database.run(START, { userId, before: new Date(now().getTime() - OVERLAP_MS) });
  const floor = after ?? start?.floor ?? '0';
  let snapshot = after === undefined ? (start?.snapshot ?? null) : null;
  const read = async function* (): AsyncGenerator<Notification> {
    let [page, upTo]: [Added[], string | null] = [[], null];
    do {
      const known = page.at(-1)?.id ?? floor;
      page = await database.run(ADDED, { userId, known, snapshot, upTo });
      upTo ??= page[0]?.snapshot ?? null;
      yield* page.filter((row) => row.id !== null);
    } while (page.length === PAGE);
    snapshot = upTo ?? snapshot;
  };
  yield* read();
  for await (const _ of published) yield* read();
}
