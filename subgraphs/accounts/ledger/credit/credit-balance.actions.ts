import { randomUUID } from 'node:crypto';
import type { Database, Statement } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { postTransfer } from '../ledger/ledger.actions.js';
import { userByAddress } from '../../identity/user/user.actions.js';
import type { AccountBalance, CreditBalance, CreditBalancePage } from './credit-balance.js';

const COLUMNS = `
  trim_scale(a.balance)::text AS balance, trim_scale(a.held)::text AS held, trim_scale(a.debt)::text AS debt,
  a.updated_at AS "lastUpdated", u.substrate_address AS "accountSs58"`;
const SOURCE = 'accounts.ledger_account a JOIN accounts.user u ON u.id = a.user_id';

const ADDRESSED = `${SOURCE} WHERE u.substrate_address IS NOT NULL`;

const OF_USER: Statement = { name: 'balance-of-user', text: `SELECT ${COLUMNS} FROM ${SOURCE} WHERE u.id = $1` };
const OF_ADDRESS: Statement = {
  name: 'balance-of-address',
  text: `SELECT ${COLUMNS} FROM ${SOURCE} WHERE u.substrate_address = $1`,
};
const PAGE: Statement = {
  name: 'balance-page',
  text: `SELECT ${COLUMNS} FROM ${ADDRESSED} ORDER BY a.id LIMIT $1 OFFSET $2`,
};
const COUNT: Statement = { name: 'balance-count', text: `SELECT count(*)::integer AS count FROM ${ADDRESSED}` };

/** The balance of a user. @throws NOT_FOUND */
export function balanceOfUser(database: Database, userId: number): Promise<CreditBalance> {
  return oneBalance(database, OF_USER, userId);
}

/** The balance of the account with this SS58 address. @throws NOT_FOUND */
export function balanceOfAddress(database: Database, substrateAddress: string): Promise<CreditBalance> {
  return oneBalance(database, OF_ADDRESS, substrateAddress);
}

async function oneBalance(database: Database, statement: Statement, key: string | number): Promise<CreditBalance> {
  const [balance] = await database.rows<CreditBalance>(statement, [key]);
  if (!balance) throw notFound('Account not found.');
  return balance;
}

/** One page of the balances of all accounts that have an SS58 address. */
export async function listBalances(database: Database, request: PageRequest): Promise<CreditBalancePage> {
  const [results, [total]] = await Promise.all([
    database.rows<AccountBalance>(PAGE, [request.pageSize, offsetOf(request)]),
    database.rows<{ count: number }>(COUNT),
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
  await database.change((transaction) => {
    const transfer = {
      source: 'administrator',
      reference: grant.key ?? randomUUID(),
      kind: 'grant',
      reason: grant.reason,
      userId: user.id,
      credits: grant.credits,
    };
    return postTransfer(transaction, transfer, now);
  });
  return balanceOfUser(database, user.id);
}
