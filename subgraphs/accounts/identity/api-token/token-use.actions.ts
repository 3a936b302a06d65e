import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';
import type { KnownHolder } from './lookups.js';

interface Use {
  /** Null for a service. */
  readonly userId: number | null;
  readonly id: string;
  readonly now: Date;
  readonly address: string;
}

const useOf = (db: Tables, table: 'token' | 'session', { id, now, address }: Use) =>
  db
    .updateTable(table)
    .set({ lastUsedAt: now, lastAddress: address })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('lastUsedAt', 'is', null),
        eb('lastUsedAt', '<=', sql<Date>`${now}::timestamptz - interval '1 minute'`),
      ]),
    );
const USES = {
  token: query('token-use', (db: Tables, value: Use) => useOf(db, 'token', value)),
  session: query('session-use', (db: Tables, value: Use) =>
    useOf(db, 'session', value).where('userId', '=', value.userId),
  ),
};

/** Minimum milliseconds between two recorded uses of a token. */
const USE_INTERVAL_MS = 60_000;

/** Records the use of a token or session, at most once a minute, in the background. */
export function recordUse(
  { database, clientAddress, log, services }: Pick<AccountsContext, 'database' | 'clientAddress' | 'log' | 'services'>,
  { tokenId, userId, lastUsedAt }: KnownHolder,
  { kind, now }: { readonly kind: 'token' | 'session'; readonly now: Date },
): void {
  if (clientAddress === '' || (lastUsedAt && now.getTime() - lastUsedAt.getTime() < USE_INTERVAL_MS)) return;
  const { usesBeingWritten } = services.lookups;
  // Concurrent uses count as one.
  if (usesBeingWritten.has(tokenId)) return;
  usesBeingWritten.add(tokenId);
  database
    .run(USES[kind], { userId, id: tokenId, now, address: clientAddress })
    .catch((error: unknown) => log.warn({ err: error }, 'could not record the use of a token'))
    .finally(() => usesBeingWritten.delete(tokenId));
}
