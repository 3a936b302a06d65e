import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import { postTransfer } from '../transfer/transfer.actions.js';
import { MAX_GRANTED_BALANCE } from '../transfer/transfer.rules.js';
import { userByKey } from '../../identity/user/user.actions.js';
import type { UserKey } from '../../identity/user/user-key.js';
import type { CreditBalance, CreditBalancePage } from './credit-balance.js';

/** What identifies a grant, with its key. */
const [SOURCE, KIND] = ['administrator', 'grant'] as const;

const accounts = (db: Tables) => db.selectFrom('ledgerAccount as a').innerJoin('user as u', 'u.id', 'a.userId');

const COLUMNS = [
  sql<string>`trim_scale(a.balance)::text`.as('balance'),
  sql<string>`trim_scale(a.held)::text`.as('held'),
  sql<string>`trim_scale(a.debt)::text`.as('debt'),
  'a.updatedAt as lastUpdated',
  'u.substrateAddress as accountSs58',
] as const;

const OF_USER = query('balance-of-user', (db: Tables, value: { userId: number }) =>
  accounts(db).select(COLUMNS).where('u.id', '=', value.userId),
);

const OF_USERS = query('balances-of-users', (db: Tables, value: { userIds: readonly number[] }) =>
  accounts(db).select(COLUMNS).select('u.id as userId').where('u.id', '=', anyOf(value.userIds)),
);

const OF_ADDRESS = query('balance-of-address', (db: Tables, value: { substrateAddress: string }) =>
  accounts(db).select(COLUMNS).where('u.substrateAddress', '=', value.substrateAddress),
);

/** The ids of the page come from an index-only scan; the joins read only the rows of the page. */
const pageQuery = (name: string, direction: 'asc' | 'desc') =>
  query(name, (db: Tables, value: { lastId: number; limit: number; offset: number }) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('user')
          .select('id')
          .where('substrateAddress', 'is not', null)
          .where('id', '<=', value.lastId)
          .orderBy('id', direction)
          .limit(value.limit)
          .offset(value.offset)
          .as('page'),
      )
      .innerJoin('user as u', 'u.id', 'page.id')
      .innerJoin('ledgerAccount as a', 'a.userId', 'u.id')
      .select(COLUMNS)
      .$narrowType<{ accountSs58: string }>()
      .orderBy('u.id', direction),
  );

/** The statements of a page: from the beginning of the list, and from its end in reverse order. */
export const BALANCE_PAGES = {
  first: pageQuery('balance-page', 'asc'),
  fromEnd: pageQuery('balance-page-from-end', 'desc'),
};

/** The number of users with an SS58 address, from the counter that triggers update, and the id of the last one. */
const COUNT = query('balance-count', (db: Tables) =>
  db
    .selectFrom('addressCount')
    .select(sql<number>`coalesce(sum(count), 0)::integer`.as('count'))
    .select(
      sql<number>`(SELECT coalesce(max(id), 0) FROM accounts.user WHERE substrate_address IS NOT NULL)`.as('lastId'),
    ),
);

/** The balance of a user. @throws NOT_FOUND */
export async function balanceOfUser(database: Database, userId: number): Promise<CreditBalance> {
  return oneBalance(await database.run(OF_USER, { userId }));
}

/** The balance of a user, read in a batch. The caller authorises. */
export const loadBalance = batched(async ({ database }: Context, userIds: readonly number[]) =>
  inOrder(userIds, await database.run(OF_USERS, { userIds }), ({ userId }) => userId),
);

/** The balance of the account with this SS58 address. @throws NOT_FOUND */
export async function balanceOfAddress(database: Database, substrateAddress: string): Promise<CreditBalance> {
  return oneBalance(await database.run(OF_ADDRESS, { substrateAddress }));
}

function oneBalance([balance]: readonly CreditBalance[]): CreditBalance {
  if (!balance) throw notFound('Account not found.');
  return balance;
}

/** One page of the balances of all accounts that have an SS58 address. */
export async function listBalances(database: Database, request: PageRequest): Promise<CreditBalancePage> {
  const [{ count, lastId } = { count: 0, lastId: 0 }] = await database.run(COUNT, {});
  const offset = offsetOf(request);
  const limit = Math.min(request.pageSize, count - offset);
  if (limit <= 0) return { ...request, count, results: [] };
  // The second half is read from the end, without users who came after the count.
  const after = count - offset - limit;
  const results =
    after < offset
      ? (await database.run(BALANCE_PAGES.fromEnd, { lastId, limit, offset: after })).toReversed()
      : await database.run(BALANCE_PAGES.first, { lastId, limit, offset });
  return { ...request, count, results };
}

interface Grant {
  readonly user: UserKey;
  readonly credits: string;
  readonly reason: string;
  /** Idempotency key. */
  readonly key: string | undefined;
}

const ABOVE_MAXIMUM = query('balance-above-maximum', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('ledgerAccount')
    .select('id')
    .where('userId', '=', value.userId)
    .where('balance', '>', sql.lit(String(MAX_GRANTED_BALANCE))),
);

const OTHER_REASON = query('grant-of-other-reason', (db: Tables, value: { reference: string; reason: string }) =>
  db
    .selectFrom('transfer')
    .select('id')
    .where((eb) => eb.and({ source: SOURCE, reference: value.reference, kind: KIND }))
    .where('reason', '!=', value.reason),
);

/**
 * Grants credits to a user; with an idempotency key, once.
 * @throws NOT_FOUND, BAD_REQUEST for a balance above the maximum, CONFLICT if the key was used for another grant
 */
export async function grantCredits(database: Database, grant: Grant, now: Date): Promise<CreditBalance> {
  const { reason, credits } = grant;
  if (Number(credits) > MAX_GRANTED_BALANCE) throw aboveMaximum();
  const { id: userId } = await userByKey(database, grant.user);
  await database.change(async (transaction) => {
    const reference = grant.key ?? randomUUID();
    const transfer = { source: SOURCE, reference, kind: KIND, reason, userId, credits };
    const isNew = await postTransfer(transaction, transfer, now);
    if (isNew) await refuseAboveMaximum(transaction, userId);
    else await refuseOtherReason(transaction, transfer);
    return { userId };
  });
  return balanceOfUser(database, userId);
}

/** Runs after the transfer, which has locked the balance. */
async function refuseAboveMaximum(transaction: Transaction, userId: number): Promise<void> {
  const above = await transaction.run(ABOVE_MAXIMUM, { userId });
  if (above.length > 0) throw aboveMaximum();
}

function aboveMaximum(): Error {
  return badRequest(`A grant must not raise the balance above ${MAX_GRANTED_BALANCE} credits.`);
}

async function refuseOtherReason(
  transaction: Transaction,
  transfer: { readonly reference: string; readonly reason: string },
): Promise<void> {
  const other = await transaction.run(OTHER_REASON, transfer);
  if (other.length > 0) throw conflict('This key was already used for a grant with another reason.');
}
