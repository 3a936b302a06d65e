import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Database, Statement } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/viewer.js';
import { balanceTopic } from '../../ledger/ledger/ledger.actions.js';
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

const LIST: Statement = {
  name: 'notifications-of-user',
  text: `
    SELECT ${NOTIFICATION_COLUMNS} FROM accounts.notification n
     WHERE n.user_id = $1 AND ($2::bigint IS NULL OR n.id < $2) AND (NOT $3::boolean OR n.read_at IS NULL)
     ORDER BY n.id DESC LIMIT $4`,
};

const COUNT_UNREAD: Statement = {
  name: 'notifications-unread',
  text: 'SELECT count(*)::integer AS count FROM accounts.notification WHERE user_id = $1 AND read_at IS NULL',
};

/** A page of the user's notifications, newest first. */
export async function listNotifications(
  database: Database,
  userId: number,
  { first, after, unreadOnly }: InboxRequest,
): Promise<NotificationPage> {
  const [found, [unread]] = await Promise.all([
    database.rows<Notification>(LIST, [userId, after ?? null, unreadOnly, first + 1]),
    database.rows<{ count: number }>(COUNT_UNREAD, [userId]),
  ]);
  const results = found.slice(0, first);
  const nextCursor = found.length > first ? (results.at(-1)?.id ?? null) : null;
  return { results, nextCursor, unreadCount: unread?.count ?? 0 };
}

const MARK: Statement = {
  name: 'notification-mark-read',
  text: `
    UPDATE accounts.notification n SET read_at = coalesce(read_at, $3)
     WHERE user_id = $1 AND id = $2 RETURNING ${NOTIFICATION_COLUMNS}`,
};

/** Marks a notification as read; repeating keeps the first time. @throws NOT_FOUND for unknown ids and other users' notifications */
export async function markRead(database: Database, userId: number, id: string, now: Date): Promise<Notification> {
  const [notification] = await database.rows<Notification>(MARK, [userId, id, now]);
  if (!notification) throw notFound('There is no such notification.');
  return notification;
}

const MARK_ALL: Statement = {
  name: 'notifications-mark-all-read',
  text: `
    WITH marked AS (UPDATE accounts.notification SET read_at = $2 WHERE user_id = $1 AND read_at IS NULL RETURNING 1)
    SELECT count(*)::integer AS count FROM marked`,
};

/** Marks all unread notifications as read. @returns how many there were */
export async function markAllRead(database: Database, userId: number, now: Date): Promise<number> {
  const [marked] = await database.rows<{ count: number }>(MARK_ALL, [userId, now]);
  return marked?.count ?? 0;
}

/** A statement that began before this may end later with an older id; no transaction lives as long. */
const OVERLAP_MS = 600_000;

const START: Statement = {
  name: 'notifications-start',
  text: `
    SELECT coalesce(max(id), 0)::text AS floor, pg_current_snapshot()::text AS snapshot
      FROM accounts.notification WHERE user_id = $1 AND created_at < $2`,
};

/** Notifications held in memory at a time, however many were missed. */
const PAGE = 200;

// What this snapshot shows and the last one did not: ids alone would miss one that is committed after a higher one.
const ADDED: Statement = {
  name: 'notifications-added',
  text: `
    SELECT s.snapshot, ${NOTIFICATION_COLUMNS} FROM (SELECT pg_current_snapshot()::text AS snapshot) s
      LEFT JOIN accounts.notification n ON n.user_id = $1 AND n.id > $2
            AND ($3::pg_snapshot IS NULL OR NOT pg_visible_in_snapshot(n.added_by, $3))
            AND ($4::pg_snapshot IS NULL OR pg_visible_in_snapshot(n.added_by, $4))
     ORDER BY n.id LIMIT ${PAGE}`,
};

type Added = { readonly snapshot: string } & (Notification | { readonly id: null });

/** Each of the user's notifications once as it is added: those after a given one first, else from now on. */
export async function* addedNotifications(
  { viewer, database, events, signal, now }: Context,
  after: string | undefined,
): AsyncGenerator<Notification> {
  const { userId } = requireUser(viewer);
  // Notifications created by ledger triggers are published as balance changes.
  const topics = [notificationTopic(userId).topic, balanceTopic(userId).topic];
  const announced = events.subscribe(topics, signal);
  const [start] = await database.rows<{ floor: string; snapshot: string }>(START, [
    userId,
    new Date(now().getTime() - OVERLAP_MS),
  ]);
  const floor = after ?? start?.floor ?? '0';
  let snapshot = after === undefined ? (start?.snapshot ?? null) : null;
  const read = async function* (): AsyncGenerator<Notification> {
    let [page, upTo]: [Added[], string | null] = [[], null];
    do {
      const known = page.at(-1)?.id ?? floor;
      page = await database.rows<Added>(ADDED, [userId, known, snapshot, upTo]);
      upTo ??= page[0]?.snapshot ?? null;
      yield* page.filter((row) => row.id !== null);
    } while (page.length === PAGE);
    snapshot = upTo ?? snapshot;
  };
  yield* read();
  for await (const _ of announced) yield* read();
}
