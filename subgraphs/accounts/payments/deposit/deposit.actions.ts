import type { Database, Statement } from '../../../../kernel/database/database.js';
import { badRequest, notFound, unavailable } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { latestTokenPrice, sandboxTokenPrice, usablePrice } from '../price/token-price.actions.js';
import { PAYMENT_RATE } from '../transaction/transaction.rules.js';
import { countWithin } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsContext, AccountsRuntime } from '../../services.js';
import { pendingTwin } from '../transaction/transaction.actions.js';
import { watchJobName, type DepositChain } from '../chain/chain.js';
import { chainNamed, chainOf } from '../chain/chain-of.js';
import { isSandboxChain, SANDBOX_TAO_USD } from '../chain/sandbox-chains.js';
import type { Deposit, DepositAddress, DepositAddressPage, DepositPayment, DepositWatch } from './deposit.js';
import { fromBaseUnits, toBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../chain/token.rules.js';
import { amountFault, DEPOSIT_TTL_MS, QUOTE_TTL_MS, valueUsd, WATCH_TTL_MS, wholeCredits } from './deposit.rules.js';
import { openCursor } from './watch/scan.actions.js';
import { watchChain } from './watch/watch.js';

/** What a user wants to pay in crypto. */
export interface DepositRequest {
  readonly userId: number;
  readonly currency: 'USDC' | 'USDT' | 'TAO';
  /** Of the currency, exact decimal. */
  readonly amount: string;
}

/**
 * Opens a transaction to be paid in crypto, with an address of its own. @returns the id of the row in accounts.transaction
 * The same request again while it is pending is the same one.
 * @throws BAD_REQUEST below 20 USD, RATE_LIMITED, UNAVAILABLE where the currency is not set up
 */
export async function createDeposit(context: AccountsContext, request: DepositRequest): Promise<string> {
  const { currency, amount } = request;
  const units = requestedUnits(amount, currency);
  const latest = currency === 'TAO' ? await latestTokenPrice(context) : undefined;
  // What is wrong with the request is told before what is wrong with us: at the last price, else at that of the sandbox.
  refuseAmount(units, currency, currency === 'TAO' ? (latest?.priceUsd ?? SANDBOX_TAO_USD) : '1');
  const chain = await chainOf(context, currency);
  if (!chain) throw unavailable(`Payments in ${currency} are not configured.`);
  const known = latest ?? (isSandboxChain(chain.name) ? await sandboxTokenPrice(context) : undefined);
  const price = currency === 'TAO' ? usablePrice(known) : '1';
  if (price === undefined) throw unavailable('There is no current price of TAO; try again in a few minutes.');
  await openCursor(context.database, chain, context.now()).catch((error: unknown) => {
    context.log.error({ err: error, chain: chain.name }, 'could not create a deposit');
    throw unavailable(`The network of ${currency} cannot be reached at the moment.`);
  });
  return insertDeposit(context, chain, { ...request, units, price });
}

/** A negative amount counts as nothing: it is below the minimum, whatever its decimal places. */
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

/** Both rows, counted, and the watch for them, or nothing. */
async function insertDeposit(
  { database, jobs, now: clock }: AccountsContext,
  chain: DepositChain,
  { userId, currency, amount, units, price }: DepositRequest & { readonly units: bigint; readonly price: string },
): Promise<string> {
  const now = clock();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const credits = wholeCredits(valueUsd(units, currency, price));
  return database.change(async (transaction) => {
    const twin = await pendingTwin(transaction, { userId, paymentType: 'crypto', amount, currency }, now);
    if (twin !== undefined) return twin;
    await countWithin(transaction, PAYMENT_RATE, { key: String(userId), now });
    const [next] = await transaction.execute<{ index: number }>(
      `SELECT nextval('accounts.deposit_index')::integer AS index`,
    );
    if (!next) throw new Error('a sequence gave no number');
    const address = chain.addressOf(next.index);
    const [row] = await transaction.execute<{ id: string }>(
      `INSERT INTO accounts.transaction
         (user_id, payment_type, amount, currency, credits, created_at, updated_at, expires_at, payment_address)
       VALUES ($1, 'crypto', $2, $3, $4, $5, $5, $6, $7) RETURNING id`,
      [userId, amount, currency, credits, now, after(DEPOSIT_TTL_MS), address],
    );
    if (!row) throw new Error('an insert returned no row');
    await transaction.execute(
      `INSERT INTO accounts.deposit (transaction_id, derivation_index, chain, token, address, expected, quoted_price,
         quoted_until, watched_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [row.id, next.index, chain.name, currency, address, `${units}`, price, after(QUOTE_TTL_MS), after(WATCH_TTL_MS)],
    );
    await jobs.enqueue(transaction, watchJobName(chain.name), {}, { key: 'awaited' });
    return row.id;
  });
}

const OF_USER: Statement = {
  name: 'deposit-of-user',
  text: `
    SELECT d.transaction_id AS "transactionId", t.status, d.token AS currency, d.expected::text AS amount,
           d.received::text, trim_scale(d.credits)::text AS credits, d.address AS "paymentAddress", d.chain,
           trim_scale(d.quoted_price)::text AS "quotedPriceUsd", d.quoted_until AS "quotedUntil", t.expires_at AS "expiresAt"
      FROM accounts.deposit d JOIN accounts.transaction t ON t.id = d.transaction_id
     WHERE d.transaction_id = $1 AND t.user_id = $2`,
};
const PAYMENTS: Statement = {
  name: 'deposit-payments',
  text: `
    SELECT p.reference, p.token AS currency, p.amount::text, p.block_number AS "blockNumber",
           CASE WHEN p.state = 'vanished' THEN 0 ELSE greatest(0, c.block_number - p.block_number) END AS confirmations,
           p.state, trim_scale(p.value_usd)::text AS "valueUsd", trim_scale(p.credits)::text AS credits, p.paid_at AS "paidAt"
      FROM accounts.deposit_payment p JOIN accounts.deposit_cursor c ON c.chain = p.chain
     WHERE p.transaction_id = $1 ORDER BY p.id`,
};

/** What is behind a crypto transaction of the user. @throws NOT_FOUND */
export async function depositOf(context: AccountsContext, userId: number, id: string): Promise<Deposit> {
  const { database } = context;
  const [row] = isUuid(id) ? await database.rows<Deposit & { chain: DepositChain['name'] }>(OF_USER, [id, userId]) : [];
  if (!row) throw notFound('There is no such deposit.');
  const payments = await database.rows<DepositPayment>(PAYMENTS, [id]);
  return {
    ...row,
    amount: decimal(row.amount, row.currency),
    received: decimal(row.received, row.currency),
    confirmationsNeeded: (await chainNamed(context, row.chain))?.confirmations ?? 0,
    payments: payments.map((payment) => ({ ...payment, amount: decimal(payment.amount, payment.currency) })),
  };
}

function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

function decimal(units: string, token: DepositToken): string {
  return fromBaseUnits(BigInt(units), TOKEN_DECIMALS[token]);
}

const WATCHES: Statement = {
  name: 'deposit-watches',
  text: `
    SELECT c.chain, c.network, c.block_number AS "blockNumber", c.updated_at AS "updatedAt",
           (SELECT count(*)::integer FROM accounts.deposit_payment p
             WHERE p.chain = c.chain AND p.state IN ('seen', 'confirmed')) AS open
      FROM accounts.deposit_cursor c ORDER BY c.chain`,
};

/** Looks at every chain now. @throws UNAVAILABLE where none is set up or one does not answer */
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
  return listWatches(runtime.database);
}

function listWatches(database: Database): Promise<DepositWatch[]> {
  return database.rows<DepositWatch>(WATCHES);
}

const ADDRESSES: Statement = {
  name: 'deposit-addresses',
  text: `
    SELECT d.derivation_index AS "derivationIndex", d.chain, d.address, d.transaction_id AS "transactionId", t.status,
           d.token AS currency, d.received::text, count(*) OVER ()::integer AS count
      FROM accounts.deposit d JOIN accounts.transaction t ON t.id = d.transaction_id
     WHERE NOT $1 OR d.received > 0 ORDER BY d.derivation_index LIMIT $2 OFFSET $3`,
};

/** Addresses that were given out, a page of them; those that were paid to, or all. */
export async function listAddresses(
  database: Database,
  isPaid: boolean,
  request: PageRequest,
): Promise<DepositAddressPage> {
  const values = [isPaid, request.pageSize, offsetOf(request)];
  const rows = await database.rows<DepositAddress & { count: number }>(ADDRESSES, values);
  const results = rows.map((row) => ({ ...row, received: decimal(row.received, row.currency) }));
  return { ...request, count: rows[0]?.count ?? 0, results };
}
