import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, notFound, rateLimited, unavailable } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { latestTokenPrice, sandboxTokenPrice, usablePrice } from '../price/token-price.actions.js';
import { PAYMENT_RATE } from '../transaction/transaction.rules.js';
import { countWithin } from '../../identity/rate-limit/rate.actions.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext, AccountsRuntime } from '../../services.js';
import { addTransaction, pendingDuplicate } from '../transaction/transaction.actions.js';
import { watchJobName, type DepositChain } from '../chain/chain.js';
import { chainNamed, chainOf } from '../chain/chain-of.js';
import { isSandboxChain, SANDBOX_TAO_USD } from '../chain/sandbox-chains.js';
import type { Deposit, DepositWatch } from './deposit.js';
import type { DepositRow } from '../rows.js';
import { fromBaseUnits, toBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../chain/token.rules.js';
import { amountFault, DEPOSIT_TTL_MS, QUOTE_TTL_MS, valueUsd, WATCH_TTL_MS, wholeCredits } from './deposit.rules.js';
import { openCursor } from './watch/cursor.actions.js';
import { watchChain } from './watch/watch.js';

/** A payment in crypto. */
export interface DepositRequest {
  readonly userId: number;
  readonly currency: 'USDC' | 'USDT' | 'TAO';
  /** An exact decimal, in the currency. */
  readonly amount: string;
}

/**
 * Opens a transaction to be paid in crypto, with its own address; an identical request returns the same one while it is
 * pending. @returns the id of the row in accounts.transaction @throws BAD_REQUEST below 20 USD, RATE_LIMITED,
 * UNAVAILABLE if the currency is not configured
 */
export async function createDeposit(context: AccountsContext, request: DepositRequest): Promise<string> {
  const { currency, amount } = request;
  const units = requestedUnits(amount, currency);
  const latest = currency === 'TAO' ? await latestTokenPrice(context) : undefined;
  // An invalid amount is reported before a missing configuration: it is checked at the latest price, else at the price
  // of the sandbox.
  refuseAmount(units, currency, currency === 'TAO' ? (latest?.priceUsd ?? SANDBOX_TAO_USD) : '1');
  const chain = await chainOf(context, currency);
  if (!chain) throw unavailable(`Payments in ${currency} are not configured.`);
  const known = latest ?? (isSandboxChain(chain.name) ? await sandboxTokenPrice(context) : undefined);
  const price = currency === 'TAO' ? usablePrice(known) : '1';
  if (price === undefined) throw unavailable('There is no current price of TAO; try again in a few minutes.');
  await openCursor(unaudited(context.database), chain, context.now()).catch((error: unknown) => {
    context.log.error({ err: error, chain: chain.name }, 'could not create a deposit');
    throw unavailable(`The network of ${currency} cannot be reached at the moment.`);
  });
  const { id } = await insertDeposit(context, chain, { ...request, units, price });
  return id;
}

/** A negative amount counts as 0, which is below the minimum. */
function requestedUnits(amount: string, currency: DepositRequest['currency']): bigint | undefined {
  return amount.startsWith('-') ? 0n : toBaseUnits(amount, TOKEN_DECIMALS[currency]);
}

/** @throws BAD_REQUEST */
function refuseAmount(
  units: bigint | undefined,
  currency: DepositRequest['currency'],
  priceUsd: string,
): asserts units is bigint {
  const fault = amountFault(units, currency, priceUsd);
  if (units === undefined || fault !== undefined) throw badRequest(fault ?? '`amount` must be a decimal number.');
}

const NEXT_INDEX = query(
  'deposit-next-index',
  () => sql<{ index: number }>`SELECT nextval('accounts.deposit_index')::integer AS index`,
);

type NewDeposit = Omit<DepositRow, 'received' | 'observedBalance' | 'valueUsd' | 'credits'>;

const ADD_DEPOSIT = query('deposit-add', (db: Tables, value: NewDeposit) =>
  db.insertInto('deposit').values({
    userId: value.userId,
    transactionId: value.transactionId,
    derivationIndex: value.derivationIndex,
    chain: value.chain,
    token: value.token,
    address: value.address,
    expected: value.expected,
    quotedPrice: value.quotedPrice,
    quotedUntil: value.quotedUntil,
    watchedUntil: value.watchedUntil,
  }),
);

/** Counts the attempt, adds the transaction with its deposit and starts the scan, in one database transaction. */
async function insertDeposit(
  { database, jobs, now: clock }: AccountsContext,
  chain: DepositChain,
  { userId, currency, amount, units, price }: DepositRequest & { readonly units: bigint; readonly price: string },
): Promise<{ readonly id: string }> {
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const credits = wholeCredits(valueUsd(units, currency, price));
  return database.change(async (transaction) => {
    const duplicate = await pendingDuplicate(transaction, { userId, paymentType: 'crypto', amount, currency }, now);
    if (duplicate !== undefined) return { id: duplicate };
    await countWithin(transaction, PAYMENT_RATE, { key: String(userId), now });
    await refuseMany(transaction, userId, now);
    const [next] = await transaction.run(NEXT_INDEX, {});
    if (!next) throw new Error('a sequence gave no number');
    const address = chain.addressOf(next.index);
    const payable = { currency, amount, credits, expiresAt: after(DEPOSIT_TTL_MS), paymentAddress: address };
    const transactionId = await addTransaction(transaction, { userId, paymentType: 'crypto', ...payable }, now);
    await transaction.run(ADD_DEPOSIT, {
      userId,
      transactionId,
      derivationIndex: next.index,
      chain: chain.name,
      token: currency,
      address,
      expected: `${units}`,
      quotedPrice: price,
      quotedUntil: after(QUOTE_TTL_MS),
      watchedUntil: after(WATCH_TTL_MS),
    });
    await jobs.enqueue(transaction, watchJobName(chain.name), {}, { key: 'awaited' });
    return { id: transactionId };
  });
}

/** Maximum deposits of a user that wait for a payment: each has an address that is watched for months. */
const MAX_OPEN = 20;

const OPEN = query('deposit-open', (db: Tables, value: { userId: number; now: Date }) =>
  db
    .selectFrom('transaction')
    .select([sql<number>`count(*)::integer`.as('count'), sql<Date | null>`min(expires_at)`.as('firstEnds')])
    .where('userId', '=', value.userId)
    .where('paymentType', '=', 'crypto')
    .where('status', '=', 'pending')
    .where('expiresAt', '>', value.now),
);

/** The caller holds the user's lock. @throws RATE_LIMITED until the first open deposit expires */
async function refuseMany(transaction: Transaction, userId: number, now: Date): Promise<void> {
  const [open] = await transaction.run(OPEN, { userId, now });
  if (!open?.firstEnds || open.count < MAX_OPEN) return;
  const retryAfter = Math.ceil((open.firstEnds.getTime() - now.getTime()) / 1000);
  throw rateLimited(`You have ${MAX_OPEN} unpaid crypto payments; pay one, or wait until one expires.`, { retryAfter });
}

const joinDeposits = (db: Tables) =>
  db
    .selectFrom('deposit as d')
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'd.userId').onRef('t.id', '=', 'd.transactionId'),
    );

const OF_USER = query('deposit-of-user', (db: Tables, value: { id: string | null; userId: number }) =>
  joinDeposits(db)
    .select(['d.transactionId', 't.status', 'd.token as currency', 'd.expected as amount', 'd.received', 'd.chain'])
    .select(['d.address as paymentAddress', 'd.quotedUntil', 't.expiresAt'])
    .select([
      sql<string>`trim_scale(d.credits)::text`.as('credits'),
      sql<string>`trim_scale(d.quoted_price)::text`.as('quotedPriceUsd'),
    ])
    .where('d.userId', '=', value.userId)
    .where('d.transactionId', '=', value.id)
    .$narrowType<{ expiresAt: Date }>(),
);
const PAYMENTS = query('deposit-payments', (db: Tables, value: { id: string; userId: number }) =>
  db
    .selectFrom('depositPayment as p')
    .innerJoin('depositCursor as c', 'c.chain', 'p.chain')
    .select(['p.reference', 'p.token as currency', 'p.amount', 'p.blockNumber', 'p.state', 'p.paidAt'])
    .select([
      sql<number>`CASE WHEN p.state = 'vanished' THEN 0
                       ELSE greatest(0, c.block_number - p.block_number) END`.as('confirmations'),
      sql<string | null>`trim_scale(p.value_usd)::text`.as('valueUsd'),
      sql<string | null>`trim_scale(p.credits)::text`.as('credits'),
    ])
    .where('p.userId', '=', value.userId)
    .where('p.transactionId', '=', value.id)
    .orderBy('p.id'),
);

/** Returns the deposit of a user's crypto transaction. @throws NOT_FOUND */
export async function depositOf(context: AccountsContext, userId: number, id: string): Promise<Deposit> {
  const { database } = context;
  const [row] = await database.run(OF_USER, { id: uuidOf(id), userId });
  if (!row) throw notFound('There is no such deposit.');
  const payments = await database.run(PAYMENTS, { id: row.transactionId, userId });
  return {
    ...row,
    amount: decimal(row.amount, row.currency),
    received: decimal(row.received, row.currency),
    confirmationsNeeded: (await chainNamed(context, row.chain))?.confirmations ?? 0,
    payments: payments.map((payment) => ({ ...payment, amount: decimal(payment.amount, payment.currency) })),
  };
}

function decimal(units: string, token: DepositToken): string {
  return fromBaseUnits(BigInt(units), TOKEN_DECIMALS[token]);
}

const WATCHES = query('deposit-watches', (db: Tables) =>
  db
    .selectFrom('depositCursor as c')
    .select(['c.chain', 'c.network', 'c.blockNumber', 'c.updatedAt'])
    .select(
      sql<number>`(SELECT count(*)::integer FROM accounts.deposit_payment p
                    WHERE p.chain = c.chain AND p.state IN ('seen', 'confirmed'))`.as('open'),
    )
    .orderBy('c.chain'),
);

/** Scans every chain now. @throws UNAVAILABLE if none is configured or one does not answer */
export async function watchDeposits(runtime: AccountsRuntime): Promise<DepositWatch[]> {
  const { deposits } = runtime.services;
  if (deposits.names.length === 0) throw unavailable('Payments in crypto are not configured.');
  for (const name of deposits.names) {
    const chain = await chainNamed(runtime, name);
    if (!chain) continue;
    await watchChain(runtime, chain).catch((error: unknown) => {
      runtime.log.error({ err: error, chain: chain.name }, 'could not scan a chain');
      throw unavailable(`The chain ${chain.name} cannot be read at the moment; see the log.`);
    });
  }
  return runtime.database.run(WATCHES, {});
}
