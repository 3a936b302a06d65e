import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { query } from '../../../../kernel/database/query.js';
import { errorCode, unavailable } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { countAttempt, tryCountAttempt, uncountAttempt } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import { transitionTransaction } from '../transaction/transaction.actions.js';
import { PAYMENT_RATE, REPEAT_RATE } from '../transaction/transaction.rules.js';
import { findUser } from '../../identity/user/user.actions.js';
import { queryPage, type QueriedPage } from '../processor-events/checkout-page.actions.js';
import { claimCheckout, type CheckoutInput } from './claim-checkout.actions.js';
import type { CheckoutKey } from '../rows.js';
import type { CheckoutSession } from './checkout.js';
import { withCustomer } from '../customer/customer.actions.js';
import { processorOf } from '../processor/open-processor.js';
import type { OpenedCheckout } from '../processor/processor.js';

/** Clients see `opening` as `open`, without a URL yet. */
const COLUMNS = [
  ...(['id', 'mode', 'sessionId', 'transactionId'] as const),
  sql<string>`CASE WHEN status = 'opening' THEN 'open' ELSE status END`.as('status'),
  sql<string | null>`CASE WHEN status = 'open' THEN url END`.as('checkoutUrl'),
] as const;
const BY_ID = query('checkout-by-id', (db: Tables, { userId, id }: CheckoutKey) =>
  db
    .selectFrom('checkout')
    .select(COLUMNS)
    .where((row) => row.and({ userId, id })),
);

/** How long a repeated request waits for the first one, and how often it polls, in milliseconds. */
const WAIT_TIMEOUT_MS = 8_500;
const POLL_INTERVAL_MS = 50;

/**
 * Returns the hosted payment page for this input. An identical request gets the same page while it is open. The processor is
 * asked first, because its webhook may be late: a paid page is credited, and a new one is opened. @throws RATE_LIMITED,
 * UNAVAILABLE, BAD_REQUEST when the processor refuses the input
 */
export async function openCheckout(runtime: AccountsRuntime, request: CheckoutInput): Promise<CheckoutSession> {
  await processorOf(runtime); // without a processor nothing is claimed
  const input = await withEmail(runtime, request);
  const { checkout, isReused } = await findOrOpen(runtime, input);
  if (!isReused || (await isStillOpen(runtime, { ...checkout, userId: input.userId }))) return checkout;
  return (await findOrOpen(runtime, input)).checkout;
}

/** Adds the e-mail of the user, which the page of a one-time payment shows. */
async function withEmail({ database }: AccountsRuntime, request: CheckoutInput): Promise<CheckoutInput> {
  if (request.what.mode !== 'onetime') return request;
  const { email } = (await findUser(database, request.userId)) ?? {};
  return email == null ? request : { ...request, what: { ...request.what, email } };
}

/** Returns the page of this request; opens one if there is none. */
async function findOrOpen(
  runtime: AccountsRuntime,
  input: CheckoutInput,
): Promise<{ readonly checkout: CheckoutSession; readonly isReused: boolean }> {
  const claim = await claimCheckout(runtime, input);
  const opened = claim.isNew ? undefined : await waitUntilOpen(runtime, { userId: input.userId, id: claim.id });
  if (opened) return { checkout: opened, isReused: true };
  const checkout = claim.isNew
    ? await openClaimed(runtime, input, claim)
    : await retryOpening(runtime, input, claim.id);
  return { checkout, isReused: false };
}

/**
 * Opens a page whose first request failed, crashed or is too slow. This attempt is counted; a failed one was removed from
 * the rate limit, a crashed one was not.
 */
async function retryOpening(runtime: AccountsRuntime, input: CheckoutInput, id: string): Promise<CheckoutSession> {
  const at = runtime.now();
  await countAttempt(runtime.database, PAYMENT_RATE, String(input.userId), at).catch(async (error: unknown) => {
    await releaseClaim(runtime, { userId: input.userId, id });
    throw error;
  });
  return openClaimed(runtime, input, { id, at });
}

/** Opens the page of a claimed row. If it fails, the attempt counted at `at` is removed from the rate limit. */
async function openClaimed(
  runtime: AccountsRuntime,
  input: CheckoutInput,
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<CheckoutSession> {
  const page = { userId: input.userId, id };
  try {
    await storeOpened(runtime, page, await openPage(runtime, id, input));
    const [checkout] = await runtime.database.run(BY_ID, page);
    if (!checkout?.checkoutUrl) throw unavailable('The payment page was closed in the meantime; try again.');
    return checkout;
  } catch (error) {
    await uncountAttempt(runtime.database, PAYMENT_RATE, { key: String(input.userId), now: at });
    await (errorCode(error) === 'BAD_REQUEST' ? closeFailed(runtime, page) : releaseClaim(runtime, page));
    throw error;
  }
}

/** Whether the page is still open. Queries the processor, up to the limit, because its webhook may be late. */
async function isStillOpen(runtime: AccountsRuntime, page: QueriedPage): Promise<boolean> {
  try {
    const attempt = { key: String(page.userId), now: runtime.now() };
    if ((await tryCountAttempt(runtime.database, REPEAT_RATE, attempt)) === 0) await queryPage(runtime, page);
  } catch (error) {
    // Without an answer the stored status decides. The old page is safe: the processor accepts one payment for it.
    runtime.log.warn({ err: error, checkoutId: page.id }, 'could not query the payment processor');
  }
  const [checkout] = await runtime.database.run(BY_ID, page);
  return checkout?.status === 'open';
}

const OF_USER = query('checkout-of-user', (db: Tables, value: { userId: number; id: string; uuid: string | null }) =>
  db
    .selectFrom('checkout')
    .select(COLUMNS)
    .where('userId', '=', value.userId)
    .where((eb) => eb.or([eb('id', '=', value.uuid), eb('sessionId', '=', value.id)])),
);

/** Returns the page of a user, by our id or the id at the processor. */
export async function checkoutOf(
  { database }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<CheckoutSession | undefined> {
  const [checkout] = await database.run(OF_USER, { userId, id, uuid: uuidOf(id) });
  return checkout;
}

/** Takes over a page whose first request gave up, or started before `before`. */
const TAKE_OVER = query(
  'checkout-take-over',
  (db: Tables, { userId, id, now, before }: CheckoutKey & { now: Date; before: Date }) =>
    db
      .updateTable('checkout')
      .set({ requestedAt: now })
      .where((row) => row.and({ userId, id, status: 'opening' }))
      .where((eb) => eb.or([eb('requestedAt', 'is', null), eb('requestedAt', '<', before)]))
      .returning('id'),
);

/** Waits for the page that a concurrent request opens. Undefined if that request failed; the caller then opens it. */
async function waitUntilOpen(
  { database, now }: AccountsRuntime,
  page: CheckoutKey,
): Promise<CheckoutSession | undefined> {
  const deadlineMs = now().getTime() + WAIT_TIMEOUT_MS;
  while (now().getTime() < deadlineMs) {
    const [checkout] = await database.run(BY_ID, page);
    if (!checkout) throw unavailable('The payment page could not be opened; try again.');
    if (checkout.status !== 'open') throw unavailable('The payment page was closed in the meantime; try again.');
    if (checkout.checkoutUrl !== null) return checkout;
    const before = new Date(now().getTime() - WAIT_TIMEOUT_MS);
    const taken = await database.run(TAKE_OVER, { ...page, now: now(), before });
    if (taken.length > 0) return undefined;
    await delay(POLL_INTERVAL_MS);
  }
  throw unavailable('The payment page could not be opened in time; try again.');
}

const RELEASE_CLAIM = query('checkout-release-claim', (db: Tables, { userId, id }: CheckoutKey) =>
  db
    .updateTable('checkout')
    .set({ requestedAt: null })
    .where((row) => row.and({ userId, id, status: 'opening' })),
);

/** Releases a page that could not be opened, so that the next request can try again at once. */
function releaseClaim({ database }: AccountsRuntime, page: CheckoutKey) {
  return database.change((change) => change.run(RELEASE_CLAIM, page));
}

async function openPage(runtime: AccountsRuntime, id: string, input: CheckoutInput): Promise<OpenedCheckout> {
  const processor = await processorOf(runtime);
  const { userId, cents, successUrl, cancelUrl } = input;
  const [checkout] = await runtime.database.run(BY_ID, { userId, id });
  const request = { checkoutId: id, transactionId: checkout?.transactionId ?? null, successUrl, cancelUrl };
  const { what } = input;
  if (what.mode === 'onetime')
    return processor.openCheckout({ ...request, item: { mode: 'onetime', cents, email: what.email ?? null } });
  return withCustomer(runtime, userId, (customerId) =>
    processor.openCheckout({ ...request, item: { ...what, customerId } }),
  );
}

const STORE_OPENED = query('checkout-store-opened', (db: Tables, value: OpenedCheckout & CheckoutKey) =>
  db
    .updateTable('checkout')
    .set({ sessionId: value.sessionId, url: value.url, expiresAt: value.expiresAt, status: 'open', requestedAt: null })
    .where((row) => row.and({ userId: value.userId, id: value.id, status: 'opening' })),
);

function storeOpened({ database }: AccountsRuntime, page: CheckoutKey, opened: OpenedCheckout) {
  return database.change((change) => change.run(STORE_OPENED, { ...page, ...opened }));
}

const CLOSE_FAILED = query('checkout-close-failed', (db: Tables, { userId, id }: CheckoutKey) =>
  db
    .updateTable('checkout')
    .set({ status: 'failed' })
    .where((row) => row.and({ userId, id, status: 'opening' }))
    .returning('transactionId'),
);

/** Closes a page that the processor refuses, so that the next request gets a new one. */
function closeFailed({ database, now }: AccountsRuntime, page: CheckoutKey): Promise<void> {
  return database.change(async (change) => {
    const [row] = await change.run(CLOSE_FAILED, page);
    if (row?.transactionId)
      await transitionTransaction(change, { userId: page.userId, id: row.transactionId, to: 'failed' }, now());
  });
}
