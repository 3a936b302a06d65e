import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import { postTransfer } from '../transfer/transfer.actions.js';
import { userByAddress } from '../../identity/user/user.actions.js';
import type { CreditBalance, CreditBalancePage } from './credit-balance.js';

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

const OF_ADDRESS = query('balance-of-address', (db: Tables, value: { substrateAddress: string }) =>
  accounts(db).select(COLUMNS).where('u.substrateAddress', '=', value.substrateAddress),
);

const PAGE = query('balance-page', (db: Tables, value: { limit: number; offset: number }) =>
  accounts(db)
    .select(COLUMNS)
    .$narrowType<{ accountSs58: string }>()
    .where('u.substrateAddress', 'is not', null)
    .orderBy('a.id')
    .limit(value.limit)
    .offset(value.offset),
);

const COUNT = query('balance-count', (db: Tables) =>
  accounts(db)
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('u.substrateAddress', 'is not', null),
);

/** The balance of a user. @throws NOT_FOUND */
export async function balanceOfUser(database: Database, userId: number): Promise<CreditBalance> {
  return oneBalance(await database.run(OF_USER, { userId }));
}

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
  const [results, [total]] = await Promise.all([
    database.run(PAGE, { limit: request.pageSize, offset: offsetOf(request) }),
    database.run(COUNT, {}),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** Grants credits to the account of an SS58 address; with a key, once. @throws NOT_FOUND, CONFLICT */
export async function grantCredits(
  database: Database,
  grant: {
    readonly substrateAddress: string;
    readonly credits: string;
    readonly reason: string;
    readonly key: string | undefined;
  },
  now: Date,
): Promise<CreditBalance> {
  const user = await userByAddress(database, grant.substrateAddress);
  await database.change(async (transaction) => {
    const transfer = {
      source: 'administrator',
      reference: grant.key ?? randomUUID(),
      kind: 'grant',
      reason: grant.reason,
      userId: user.id,
      credits: grant.credits,
    };
    await postTransfer(transaction, transfer, now);
    return { userId: user.id };
  });
  return balanceOfUser(database, user.id);
}
