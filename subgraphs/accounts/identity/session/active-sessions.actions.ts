import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';
import type { KnownHolder } from '../api-token/lookups.js';
import type { KnownSession } from './session.actions.js';
import type { Session } from './session.js';

/** The session of an access token. Read with every request that has an access token. */
export const SESSION_HOLDERS = query(
  'session-holders',
  (db: Tables, { userIds, ids }: { userIds: readonly number[]; ids: readonly string[] }) =>
    db
      .selectFrom(
        sql<{ userId: number; id: string }>`unnest(${userIds}::integer[], ${ids}::uuid[])`.as<'named'>(
          sql`named (user_id, id)`,
        ),
      )
      .innerJoin('session as s', (join) => join.onRef('s.userId', '=', 'named.userId').onRef('s.id', '=', 'named.id'))
      .innerJoin('user as u', 'u.id', 's.userId')
      .select([
        's.id as tokenId',
        'u.id as userId',
        'u.username',
        'u.substrateAddress',
        'u.roles',
        's.expiresAt',
        's.lastUsedAt',
      ])
      .where('s.revokedAt', 'is', null),
);

/** The user's session with the current roles, read in a batch; undefined for unknown and revoked sessions. */
export async function findSessionHolder(
  { database, services }: Pick<AccountsContext, 'database' | 'services'>,
  { userId, sessionId }: KnownSession,
): Promise<KnownHolder | undefined> {
  const uuid = uuidOf(sessionId);
  if (uuid === null) return undefined;
  return services.lookups.sessions.find(`${userId}:${uuid}`, async (keys) => {
    const named = keys.map((key) => key.split(':'));
    const userIds = named.map(([user]) => Number(user));
    const rows = await database.run(SESSION_HOLDERS, { userIds, ids: named.map(([, id = '']) => id) });
    return new Map(rows.map((holder) => [`${holder.userId}:${holder.tokenId}`, holder]));
  });
}

const OF_USER = query('sessions-of-user', (db: Tables, value: { userId: number; tokenId: string | null; now: Date }) =>
  db
    .withRecursive('used', (part) =>
      part
        .selectFrom('session')
        .select(['id', 'parentId'])
        .where('userId', '=', value.userId)
        .where('id', '=', value.tokenId)
        .union(
          part
            .selectFrom('session as s')
            .innerJoin('used', 'used.parentId', 's.id')
            .select(['s.id', 's.parentId'])
            .where('s.userId', '=', value.userId),
        ),
    )
    .selectFrom('session')
    .select(['id', 'label', 'userAgent', 'createdAt', 'expiresAt', 'lastUsedAt', 'lastAddress'])
    .select((eb) => sql<boolean>`id IN (${eb.selectFrom('used').select('used.id')})`.as('isCurrent'))
    .where('userId', '=', value.userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', value.now)
    .orderBy('createdAt', 'desc')
    .orderBy('id'),
);

/** The user's sessions that are active at the given time, newest first. */
export function listSessions(database: Database, { userId, tokenId }: UserViewer, now: Date): Promise<Session[]> {
  return database.run(OF_USER, { userId, tokenId: uuidOf(tokenId), now });
}
