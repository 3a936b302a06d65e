import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, unavailable } from '../../../../kernel/errors.js';
import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { uuidOf } from '../../../../kernel/text.js';
import { countAttempt, countWithin, giveBack } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import { moveTransaction } from '../transaction/transaction.actions.js';
import { PAYMENT_RATE } from '../transaction/transaction.rules.js';
import { findUser } from '../../identity/user/user.actions.js';
import { followPage } from '../processor-events/checkout-page.actions.js';
import { addPayment } from '../payment/added-payment.actions.js';
import type { CheckoutSession } from './checkout.js';
import { ensureCustomer } from '../payment/customer.actions.js';
import { processorOf } from '../processor/open-processor.js';
import type { CheckoutRequest, OpenedCheckout } from '../processor/processor.js';

/** What a user wants to pay on a hosted page. */
export interface CheckoutInput {
  readonly userId: number;
  readonly cents: number;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly what: { readonly mode: 'onetime' } | SubscriptionInput;
}

interface SubscriptionInput {
  readonly mode: 'subscription';
  readonly priceId: string;
  readonly methods: readonly string[];
}

const COLUMNS = `id, mode, CASE WHEN status = 'opening' THEN 'open' ELSE status END AS status, session_id AS "sessionId",
  transaction_id AS "transactionId", CASE WHEN status = 'open' THEN url END AS "checkoutUrl"`;
const BY_ID = { name: 'checkout-by-id', text: `SELECT ${COLUMNS} FROM accounts.checkout WHERE id = $1` };
const OF_USER = {
  name: 'checkout-of-user',
  text: `SELECT ${COLUMNS} FROM accounts.checkout WHERE user_id = $1 AND (id = $3 OR session_id = $2)`,
};

const TAKE_OVER = {
  name: 'checkout-take-over',
  text: `UPDATE accounts.checkout SET asked_at = $2
          WHERE id = $1 AND status = 'opening' AND (asked_at IS NULL OR asked_at < $3) RETURNING id`,
};

/** Until the processor tells, a page is taken to live as long as it can. */
const TTL_MS = 24 * 3_600_000;

/** A page this close to its end is not shown again, in milliseconds. */
const MARGIN_MS = 60_000;

/** How long the second of two clicks waits for the first, in milliseconds, and how often it looks. */
const WAIT_MS = 8_500;
const POLL_INTERVAL_MS = 50;

/**
 * Opens a hosted page; the same request while it is open gets the same page. The processor is asked whether it still is:
 * what was paid on it is granted, and a new page opened.
 * @throws RATE_LIMITED, UNAVAILABLE, BAD_REQUEST when the processor refuses what was asked
 */
export async function openCheckout(runtime: AccountsRuntime, wish: CheckoutInput): Promise<CheckoutSession> {
  await processorOf(runtime);
  const { checkout, isOld } = await takePage(runtime, wish);
  if (!isOld || (await isStillOpen(runtime, checkout))) return checkout;
  return (await takePage(runtime, wish)).checkout;
}

/** The page of this request, opened where there is none. */
async function takePage(
  runtime: AccountsRuntime,
  wish: CheckoutInput,
): Promise<{ readonly checkout: CheckoutSession; readonly isOld: boolean }> {
  const claim = await claimCheckout(runtime, wish);
  const opened = claim.isNew ? undefined : await waitUntilOpen(runtime, claim.id);
  if (opened) return { checkout: opened, isOld: true };
  const checkout = claim.isNew ? await openClaimed(runtime, wish, claim) : await openAgain(runtime, wish, claim.id);
  return { checkout, isOld: false };
}

/** A page that another click left behind unopened, and did not count. */
async function openAgain(runtime: AccountsRuntime, wish: CheckoutInput, id: string): Promise<CheckoutSession> {
  const at = runtime.now();
  await countAttempt(runtime.database, PAYMENT_RATE, String(wish.userId), at).catch(async (error: unknown) => {
    await giveUp(runtime, id);
    throw error;
  });
  return openClaimed(runtime, wish, { id, at });
}

/** Opens the page of a row that is ours to open, counted at the given time; what opens none does not count. */
async function openClaimed(
  runtime: AccountsRuntime,
  wish: CheckoutInput,
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<CheckoutSession> {
  try {
    await keepOpened(runtime, id, await openPage(runtime, id, wish));
    const [checkout] = await runtime.database.rows<CheckoutSession>(BY_ID, [id]);
    if (!checkout?.checkoutUrl) throw unavailable('The page was closed in the meantime; try again.');
    return checkout;
  } catch (error) {
    await giveBack(runtime.database, PAYMENT_RATE, { key: String(wish.userId), now: at });
    await (errorCode(error) === 'BAD_REQUEST' ? closeFailed(runtime, id) : giveUp(runtime, id));
    throw error;
  }
}

/** Whether a page can still be paid on: what its webhook has not told yet, the processor does. */
async function isStillOpen(runtime: AccountsRuntime, page: CheckoutSession): Promise<boolean> {
  try {
    await followPage(runtime, page);
  } catch (error) {
    // What is known is answered: nobody pays twice on one page.
    runtime.log.warn({ err: error, checkoutId: page.id }, 'could not query the payment processor');
  }
  const [checkout] = await runtime.database.rows<CheckoutSession>(BY_ID, [page.id]);
  return checkout?.status === 'open';
}

/** The page of a user by our id or the processor's. */
export async function checkoutOf(
  { database }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<CheckoutSession | undefined> {
  const [checkout] = await database.rows<CheckoutSession>(OF_USER, [userId, id, uuidOf(id)]);
  return checkout;
}

/** Takes the one row that this request may have open; a new one counts. @throws RATE_LIMITED */
function claimCheckout({ database, now }: AccountsRuntime, wish: CheckoutInput) {
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
      [wish.userId, wish.what.mode, key, priceOf(wish), wish.cents, at, new Date(at.getTime() + TTL_MS)],
    );
    if (created) {
      // One too many leaves nothing behind.
      await countWithin(change, PAYMENT_RATE, { key: String(wish.userId), now: at });
      if (wish.what.mode === 'onetime') await addTransaction(change, { ...wish, checkoutId: created.id }, at);
      return { id: created.id, isNew: true, at };
    }
    const [open] = await change.execute<{ id: string }>(
      `SELECT id FROM accounts.checkout WHERE user_id = $1 AND request_key = $2 AND status IN ('opening', 'open')`,
      [wish.userId, key],
    );
    if (!open) throw unavailable('The page was closed in the meantime; try again.');
    return { id: open.id, isNew: false, at };
  });
}

function priceOf({ what }: CheckoutInput): string | null {
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

/** The page that another click opens meanwhile; undefined when that one gave up or died: then it is ours to open. */
async function waitUntilOpen({ database, now }: AccountsRuntime, id: string): Promise<CheckoutSession | undefined> {
  for (const startMs = now().getTime(); now().getTime() - startMs < WAIT_MS; await delay(POLL_INTERVAL_MS)) {
    const [checkout] = await database.rows<CheckoutSession>(BY_ID, [id]);
    if (!checkout) throw unavailable('The page could not be opened; try again.');
    if (checkout.status !== 'open') throw unavailable('The page was closed in the meantime; try again.');
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

async function openPage(runtime: AccountsRuntime, id: string, wish: CheckoutInput): Promise<OpenedCheckout> {
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
