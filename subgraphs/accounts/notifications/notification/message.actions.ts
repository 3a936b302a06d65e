import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Role } from '../../../../kernel/security/viewer.js';
import { userByKey } from '../../identity/user/user.actions.js';
import type { UserKey } from '../../identity/user/user-key.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import type { NoticeKind } from './notification.js';
import type { NoticeSeverity } from './severity.js';
import { notify, type Notice } from './notification.actions.js';

/** A notification from an administrator. */
export interface AdminMessage {
  readonly user: UserKey;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly link: string | null | undefined;
  readonly severity: NoticeSeverity | null | undefined;
  readonly key: string | null | undefined;
}

/** Notifies a user; with an idempotency key, once. @returns whether it is new @throws NOT_FOUND */
export async function adminNotify(
  { database, jobs, now }: AccountsRuntime,
  { user, kind, title, text, link, severity, key }: AdminMessage,
): Promise<boolean> {
  const { id: userId } = await userByKey(database, user);
  const optional = { ...(link && { link }), ...(severity && { severity }) };
  const notice = { userId, kind, key: `administrator:${key ?? randomUUID()}`, title, text, ...optional };
  const { isNew } = await database.change(async (transaction) => ({
    userId,
    isNew: await notify(transaction, jobs, notice, now()),
  }));
  return isNew;
}

/** Notifies a user on behalf of another subgraph. @returns whether it is new */
export function tellUser({ database, jobs, now }: AccountsRuntime, notice: Notice): Promise<boolean> {
  return database.change((transaction) => notify(transaction, jobs, notice, now()));
}

const ADMINISTRATORS = query('administrators', (db: Tables) =>
  db
    .selectFrom('user')
    .select('id')
    .where('roles', '&&', sql<Role[]>`'{ADMIN,SUPERUSER}'`)
    .orderBy('id'),
);

/** Notifies every administrator, once per key. @returns how many notifications are new */
export function tellAdministrators(
  { database, jobs, now }: AccountsRuntime,
  notice: Omit<Notice, 'userId'>,
): Promise<number> {
  return database.change((transaction) => notifyAdministrators(transaction, jobs, notice, now()));
}

/** Notifies every administrator, once per key, within the caller's transaction. @returns how many notifications are new */
export async function notifyAdministrators(
  transaction: Transaction,
  jobs: Jobs,
  notice: Omit<Notice, 'userId'>,
  now: Date,
): Promise<number> {
  let added = 0;
  for (const { id } of await transaction.run(ADMINISTRATORS, {}))
    if (await notify(transaction, jobs, { ...notice, userId: id }, now)) added += 1;
  return added;
}
