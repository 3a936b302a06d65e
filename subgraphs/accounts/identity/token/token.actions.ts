import { hashToken, makeApiToken } from '../../../../kernel/security/credentials.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { uuidOf } from '../../../../kernel/text.js';
import type { Role, UserViewer, Viewer } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import type { KnownHolder } from './lookups.js';
import { refuseEscalation } from '../user/user.rules.js';
import { TOKEN_TTL_DAYS, type IssuedToken, type ServiceToken, type Token } from './token.js';

const DAY_MS = 86_400_000;

const HOLDERS_BY_HASH = {
  name: 'token-holders-by-hash',
  text: `
    SELECT t.hash, t.id AS "tokenId", u.id AS "userId", coalesce(u.username, t.name) AS username,
           u.substrate_address AS "substrateAddress", coalesce(u.roles, t.roles) AS roles, t.expires_at AS "expiresAt",
           t.last_used_at AS "lastUsedAt"
      FROM accounts.token t LEFT JOIN accounts.user u ON u.id = t.user_id
     WHERE t.hash = ANY($1::text[]) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`,
};

/**
 * The holder of the token with this hash, read in a batch; undefined for unknown, expired and revoked tokens
 * alike.
 */
export function findTokenHolder(
  { database, services, now }: Pick<AccountsContext, 'database' | 'services' | 'now'>,
  hash: string,
): Promise<KnownHolder | undefined> {
  return services.lookups.tokens.find(hash, async (hashes) => {
    const rows = await database.rows<KnownHolder & { hash: string }>(HOLDERS_BY_HASH, [hashes, now()]);
    return new Map(rows.map(({ hash: found, ...holder }) => [found, holder]));
  });
}

const TOKENS_OF_USER = {
  name: 'tokens-of-user',
  text: `
    SELECT id, name, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
           last_address AS "lastAddress", id IS NOT DISTINCT FROM $3::uuid AS "isCurrent"
      FROM accounts.token
     WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
     ORDER BY created_at DESC, id`,
};

/** The user's tokens that are valid at the given time, newest first. */
export function listTokens(database: Database, { userId, tokenId }: UserViewer, now: Date): Promise<Token[]> {
  return database.rows<Token>(TOKENS_OF_USER, [userId, now, uuidOf(tokenId)]);
}

const SERVICE_TOKENS = {
  name: 'service-tokens',
  text: `
    SELECT id, name, roles, created_at AS "createdAt" FROM accounts.token
     WHERE user_id IS NULL AND revoked_at IS NULL ORDER BY created_at DESC, id LIMIT 1000`,
};

/** Valid service tokens, newest first, at most 1000. */
export function listServiceTokens(database: Database): Promise<ServiceToken[]> {
  return database.rows<ServiceToken>(SERVICE_TOKENS);
}

/** Issues an API token within the caller's transaction; returns its text, which is not stored. */
export async function issueSessionToken(
  transaction: Transaction,
  holder: { readonly userId: number; readonly name: string },
  now: Date,
): Promise<string> {
  const token = makeApiToken();
  await transaction.execute(
    'INSERT INTO accounts.token (hash, user_id, name, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [hashToken(token), holder.userId, holder.name, now, new Date(now.getTime() + TOKEN_TTL_DAYS * DAY_MS)],
  );
  return token;
}

/** Issues a service token, valid until revoked. */
export async function issueServiceToken(
  database: Database,
  service: { readonly name: string; readonly roles: readonly Role[] },
  now: Date,
): Promise<IssuedToken> {
  const token = makeApiToken();
  const [row] = await database.change((transaction) =>
    transaction.execute<{ id: string }>(
      'INSERT INTO accounts.token (hash, name, roles, created_at) VALUES ($1, $2, $3, $4) RETURNING id',
      [hashToken(token), service.name, service.roles, now],
    ),
  );
  return { id: row?.id ?? '', name: service.name, token, roles: [...service.roles] };
}

/** The topic with ids of tokens that were revoked or whose roles changed. */
export const TOKEN_CHANGES = 'token-changed';

/** Invalidates caches of the user's tokens, within the caller's transaction. */
export async function publishTokensChanged(transaction: Transaction, userId: number): Promise<void> {
  const tokens = await transaction.execute<{ id: string }>(
    `SELECT id FROM accounts.token WHERE user_id = $1 AND revoked_at IS NULL
      UNION ALL SELECT id FROM accounts.session WHERE user_id = $1 AND revoked_at IS NULL`,
    [userId],
  );
  for (const { id } of tokens) await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id });
}

/** Serializes changes of the user's sessions until the transaction ends; take it before any session row. */
export async function holdCredentials(transaction: Transaction, userId: number): Promise<void> {
  await transaction.execute('SELECT 1 FROM accounts.user WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

/**
 * Revokes a token and the sessions created with it; safe to repeat. Undefined `userId`: any holder's token.
 * @throws NOT_FOUND for unknown ids and other users' tokens, FORBIDDEN for roles that only a superuser can revoke
 */
export async function revokeToken(
  database: Database,
  token: { readonly id: string; readonly userId: number | undefined; readonly viewer: Viewer },
  now: Date,
): Promise<void> {
  const tokenId = uuidOf(token.id);
  await database.change(async (transaction) => {
    const [owner] = await transaction.execute<{ id: number | null }>(
      'SELECT user_id AS id FROM accounts.token WHERE id = $1',
      [tokenId],
    );
    if (owner?.id != null) await holdCredentials(transaction, owner.id);
    const [revoked] = await transaction.execute<{ userId: number | null; roles: Role[] }>(
      `UPDATE accounts.token t SET revoked_at = coalesce(revoked_at, $1)
        WHERE id = $2 AND ($3::integer IS NULL OR user_id = $3)
        RETURNING user_id AS "userId", coalesce((SELECT roles FROM accounts.user u WHERE u.id = t.user_id), t.roles) AS roles`,
      [now, tokenId, token.userId ?? null],
    );
    if (!revoked) throw notFound('There is no such token.');
    const isOwn = token.viewer.kind === 'user' && token.viewer.userId === revoked.userId;
    if (!isOwn) refuseEscalation(token.viewer, revoked.roles);
    await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id: token.id });
    const sessions = await transaction.execute<{ id: string }>(
      'UPDATE accounts.session SET revoked_at = $1 WHERE token_id = $2 AND revoked_at IS NULL RETURNING id',
      [now, tokenId],
    );
    for (const { id } of sessions) await transaction.publishWithCommit({ topic: TOKEN_CHANGES, id });
  });
}

const USE = {
  name: 'token-use',
  text: `
    UPDATE accounts.token SET last_used_at = $2, last_address = $3
     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
};
const SESSION_USE = {
  name: 'session-use',
  text: `
    UPDATE accounts.session SET last_used_at = $2, last_address = $3
     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
};

/** Minimum milliseconds between two recorded uses of a token. */
const USE_STEP_MS = 60_000;

/** Records the use of a token or session, at most once a minute, in the background. */
export function recordUse(
  { database, clientAddress, log, services }: Pick<AccountsContext, 'database' | 'clientAddress' | 'log' | 'services'>,
  { tokenId, lastUsedAt }: KnownHolder,
  { kind, now }: { readonly kind: 'token' | 'session'; readonly now: Date },
): void {
  if (clientAddress === '' || (lastUsedAt && now.getTime() - lastUsedAt.getTime() < USE_STEP_MS)) return;
  const { usesBeingWritten } = services.lookups;
  // Concurrent uses count as one.
  if (usesBeingWritten.has(tokenId)) return;
  usesBeingWritten.add(tokenId);
  database
    .rows(kind === 'token' ? USE : SESSION_USE, [tokenId, now, clientAddress])
    .catch((error: unknown) => log.warn({ err: error }, 'could not record the use of a token'))
    .finally(() => usesBeingWritten.delete(tokenId));
}
