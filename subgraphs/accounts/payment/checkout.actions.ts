import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, unavailable } from '../../../kernel/errors.js';
import type { Transaction as Change } from '../../../kernel/database.js';
import { countAttempt } from '../rate/rate.actions.js';
import type { AccountsRuntime } from '../services.js';
import { moveTransaction } from '../transaction/transaction.actions.js';
import { findUser } from '../user/user.actions.js';
import { dollarsOf } from './amount.rules.js';
import type { CheckoutSession } from './checkout.js';
import { ensureCustomer } from './customer.actions.js';
import { processorOf } from './processing.js';
import type { CheckoutRequest, OpenedCheckout } from './processor.js';

/** Payments that a user may open in a minute. Source: decisions, 429 */
export const PAYMENT_RATE = { scope: 'payment', most: 5, windowSeconds: 60 };

/** What a user wants to pay on a hosted page. */
export interface CheckoutWish {
  readonly userId: number;
  readonly cents: number;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly what: { readonly mode: 'onetime' } | SubscriptionWish;
}

interface SubscriptionWish {
  readonly mode: 'subscription';
  readonly priceId: string;
  readonly methods: readonly string[];
}

const COLUMNS = `id, mode, CASE WHEN status = 'opening' THEN 'open' ELSE status END AS status, session_id AS "sessionId",
  transaction_id AS "transactionId", CASE WHEN status = 'open' THEN url END AS "checkoutUrl"`;
const BY_ID = { name: 'checkout-by-id', text: `SELECT ${COLUMNS} FROM accounts.checkout WHERE id = $1` };
const OF_USER = {
  name: 'checkout-of-user',
  text: `SELECT ${COLUMNS} FROM accounts.checkout WHERE user_id = $1 AND (id::text = $2 OR session_id = $2)`,
};

const TAKE_OVER = {
  name: 'checkout-take-over',
  text: `UPDATE accounts.checkout SET asked_at = $2
          WHERE id = $1 AND status = 'opening' AND (asked_at IS NULL OR asked_at < $3) RETURNING id`,
};

/** Until the processor tells, a page is taken to live as long as it can. */
const LIFE_MS = 24 * 3_600_000;

/** A page this close to its end is not shown again, in milliseconds. */
const MARGIN_MS = 60_000;

/** How long the second of two clicks waits for the first, in milliseconds, and how often it looks. */
const WAIT_MS = 8_500;
const LOOK_MS = 50;

/**
 * Opens a hosted page; the same request while it is open gets the same page.
 * @throws RATE_LIMITED, UNAVAILABLE, BAD_REQUEST when the processor refuses what was asked
 */
export async function openCheckout(runtime: AccountsRuntime, wish: CheckoutWish): Promise<CheckoutSession> {
  await processorOf(runtime);
  const { id, isNew } = await claimCheckout(runtime, wish);
  if (isNew) await countOrForget(runtime, wish.userId, id);
  else {
    const opened = await waitUntilOpen(runtime, id);
    if (opened) return opened;
  }
  try {
    await keepOpened(runtime, id, await openPage(runtime, id, wish));
  } catch (error) {
    await (errorCode(error) === 'BAD_REQUEST' ? closeFailed(runtime, id) : giveUp(runtime, id));
    throw error;
  }
  const [checkout] = await runtime.database.rows<CheckoutSession>(BY_ID, [id]);
  if (!checkout?.checkoutUrl) throw unavailable('The page was closed meanwhile; try again.');
  return checkout;
}

/** The page of a user by our id or the processor's. */
export async function checkoutOf(
  { database }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<CheckoutSession | undefined> {
  const [checkout] = await database.rows<CheckoutSession>(OF_USER, [userId, id]);
  return checkout;
}

/** Takes the one row that this request may have open. */
function claimCheckout({ database, now }: AccountsRuntime, wish: CheckoutWish) {
  const key = createHash('sha256').update(JSON.stringify(wish)).digest('hex');
  const at = now();
  return database.change(async (change) => {
    await change.execute(
      `UPDATE accounts.checkout SET status = 'expired'
        WHERE user_id = $1 AND request_key = $2 AND status IN ('opening', 'open') AND expires_at <= $3`,
      [wish.userId, key, new Date(at.getTime() + MARGIN_MS)],
    );
    const [created] = await change.execute<{ id: string }>(
      `INSERT INTO accounts.checkout (user_id, mode, request_key, price_id, cents, status, created_at, asked_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, 'opening', $6, $6, $7)
       ON CONFLICT (user_id, request_key) WHERE status IN ('opening', 'open') DO NOTHING RETURNING id`,
      [wish.userId, wish.what.mode, key, priceOf(wish), wish.cents, at, new Date(at.getTime() + LIFE_MS)],
    );
    if (created) {
      if (wish.what.mode === 'onetime') await addTransaction(change, { ...wish, checkoutId: created.id }, at);
      return { id: created.id, isNew: true };
    }
    const [open] = await change.execute<{ id: string }>(
      `SELECT id FROM accounts.checkout WHERE user_id = $1 AND request_key = $2 AND status IN ('opening', 'open')`,
      [wish.userId, key],
    );
    if (!open) throw unavailable('The page was closed meanwhile; try again.');
    return { id: open.id, isNew: false };
  });
}

function priceOf({ what }: CheckoutWish): string | null {
  return what.mode === 'subscription' ? what.priceId : null;
}

async function addTransaction(
  change: Change,
  { userId, cents, checkoutId }: { readonly userId: number; readonly cents: number; readonly checkoutId: string },
  now: Date,
): Promise<void> {
  const id = await addPayment(change, { userId, cents }, now);
  await change.execute('UPDATE accounts.checkout SET transaction_id = $2 WHERE id = $1', [checkoutId, id]);
}

/** Adds a pending payment by card with its transaction: 1 USD = 1 credit, exactly. @returns the transaction's id */
export async function addPayment(
  change: Change,
  { userId, cents }: { readonly userId: number; readonly cents: number },
  now: Date,
): Promise<string> {
  const [row] = await change.execute<{ id: string }>(
    `INSERT INTO accounts.transaction (user_id, payment_type, amount, currency, credits, created_at, updated_at)
     VALUES ($1, 'payproc', $2, 'USD', $3, $4, $4) RETURNING id`,
    [userId, dollarsOf(cents), Math.floor(cents / 100), now],
  );
  const id = row?.id ?? '';
  await change.execute('INSERT INTO accounts.payment (transaction_id, cents, credits) VALUES ($1, $2, $3)', [
    id,
    cents,
    dollarsOf(cents),
  ]);
  return id;
}

/** Counts a payment that is opened; one too many leaves nothing behind. */
async function countOrForget({ database, now }: AccountsRuntime, userId: number, id: string): Promise<void> {
  try {
    await countAttempt(database, PAYMENT_RATE, String(userId), now());
  } catch (error) {
    await database.change(async (change) => {
      const [row] = await change.execute<{ transactionId: string | null }>(
        'DELETE FROM accounts.checkout WHERE id = $1 RETURNING transaction_id AS "transactionId"',
        [id],
      );
      await change.execute('DELETE FROM accounts.transaction WHERE id = $1', [row?.transactionId ?? null]);
    });
    throw error;
  }
}

/** The page that another click opens meanwhile; undefined when that one gave up or died: then it is ours to open. */
async function waitUntilOpen({ database, now }: AccountsRuntime, id: string): Promise<CheckoutSession | undefined> {
  for (const startMs = now().getTime(); now().getTime() - startMs < WAIT_MS; await delay(LOOK_MS)) {
    const [checkout] = await database.rows<CheckoutSession>(BY_ID, [id]);
    if (!checkout) throw unavailable('The page could not be opened; try again.');
    if (checkout.status !== 'open') throw unavailable('The page was closed meanwhile; try again.');
    if (checkout.checkoutUrl !== null) return checkout;
    const taken = await database.rows(TAKE_OVER, [id, now(), new Date(now().getTime() - WAIT_MS)]);
    if (taken.length > 0) return undefined;
  }
  throw unavailable('The page could not be opened in time; try again.');
}

/** The processor does not answer: the next click may try again at once, for the same page. */
function giveUp({ database }: AccountsRuntime, id: string) {
  return database.change((change) =>
    change.execute(`UPDATE accounts.checkout SET asked_at = NULL WHERE id = $1 AND status = 'opening'`, [id]),
  );
}

async function openPage(runtime: AccountsRuntime, id: string, wish: CheckoutWish): Promise<OpenedCheckout> {
  const processor = await processorOf(runtime);
  const { userId, cents, successUrl, cancelUrl } = wish;
  const [checkout] = await runtime.database.rows<CheckoutSession>(BY_ID, [id]);
  const user = await findUser(runtime.database, userId);
  const what: CheckoutRequest['what'] =
    wish.what.mode === 'onetime'
      ? { mode: 'onetime', cents }
      : { ...wish.what, customerId: await ensureCustomer(runtime, userId) };
  return processor.openCheckout({
    checkoutId: id,
    transactionId: checkout?.transactionId ?? null,
    email: user?.email ?? null,
    successUrl,
    cancelUrl,
    what,
  });
}

function keepOpened({ database }: AccountsRuntime, id: string, { sessionId, url, expiresAt }: OpenedCheckout) {
  return database.change((change) =>
    change.execute(
      `UPDATE accounts.checkout SET session_id = $2, url = $3, expires_at = $4, status = 'open', asked_at = NULL
        WHERE id = $1 AND status = 'opening'`,
      [id, sessionId, url, expiresAt],
    ),
  );
}

/** The processor refuses it for good: the next click is another request. */
function closeFailed({ database, now }: AccountsRuntime, id: string): Promise<void> {
  return database.change(async (change) => {
    const [row] = await change.execute<{ transactionId: string | null }>(
      `UPDATE accounts.checkout SET status = 'failed' WHERE id = $1 AND status = 'opening'
       RETURNING transaction_id AS "transactionId"`,
      [id],
    );
    if (row?.transactionId) await moveTransaction(change, { id: row.transactionId, to: 'failed' }, now());
  });
}
