import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { countWithin } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import { isSimulated } from '../processor/open-processor.js';
import { addPayment } from '../transaction/card-payment.actions.js';
import { PAYMENT_RATE } from '../transaction/transaction.rules.js';
import type { CheckoutKey } from '../rows.js';

/** A payment on a hosted page. */
export interface CheckoutInput {
  readonly userId: number;
  readonly cents: number;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly what: OnetimeInput | SubscriptionInput;
}

interface OnetimeInput {
  readonly mode: 'onetime';
  /** Part of the request, because the processor refuses to open the same page with another e-mail. */
  readonly email?: string;
}

interface SubscriptionInput {
  readonly mode: 'subscription';
  readonly priceId: string;
  readonly methods: readonly string[];
}

/** Assumed lifetime of a page until the processor returns the real one. */
const TTL_MS = 24 * 3_600_000;

/** A page that expires within this time is not returned again, in milliseconds. */
const MIN_REMAINING_MS = 60_000;

/**
 * The condition of the index `checkout_once`. A constant, because PostgreSQL cannot match a partial index with a
 * parameter.
 */
const IS_OPEN = sql<boolean>`status IN ('opening', 'open')`;

interface RequestKey {
  readonly userId: number;
  readonly key: string;
}

/** The processor tells when a page expires; a page that it never opened expires with its transaction here. */
const CLOSE_OVERDUE = query(
  'checkout-close-overdue',
  (_: Tables, { userId, key, now, until }: RequestKey & { now: Date; until: Date }) => sql<object>`
  WITH closed AS (UPDATE accounts.checkout SET status = 'expired'
                   WHERE user_id = ${userId} AND request_key = ${key} AND ${IS_OPEN} AND expires_at <= ${until}
                  RETURNING user_id, transaction_id, session_id)
  UPDATE accounts.transaction t SET status = 'expired', updated_at = ${now}
    FROM closed WHERE t.user_id = closed.user_id AND t.id = closed.transaction_id AND closed.session_id IS NULL
     AND t.status = 'pending'`,
);

interface NewCheckout extends RequestKey {
  readonly mode: string;
  readonly priceId: string | null;
  readonly cents: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

const CLAIM = query('checkout-claim', (db: Tables, value: NewCheckout) =>
  db
    .insertInto('checkout')
    .values({
      userId: value.userId,
      mode: value.mode,
      requestKey: value.key,
      priceId: value.priceId,
      cents: value.cents,
      status: 'opening',
      createdAt: value.at,
      requestedAt: value.at,
      expiresAt: value.expiresAt,
    })
    .onConflict((on) => on.columns(['userId', 'requestKey']).where(IS_OPEN).doNothing())
    .returning('id'),
);
const OPEN = query('checkout-open', (db: Tables, value: RequestKey) =>
  db
    .selectFrom('checkout')
    .select('id')
    .where('userId', '=', value.userId)
    .where('requestKey', '=', value.key)
    .where(IS_OPEN),
);

/** Claims the only open row of this request; a new row counts against the rate limit. @throws RATE_LIMITED */
export function claimCheckout({ database, now, services }: AccountsRuntime, input: CheckoutInput) {
  const request = { userId: input.userId, key: createHash('sha256').update(JSON.stringify(input)).digest('hex') };
  const { mode } = input.what;
  const at = now();
  const after = (ms: number) => new Date(at.getTime() + ms);
  return database.change(async (change) => {
    await change.run(CLOSE_OVERDUE, { ...request, now: at, until: after(MIN_REMAINING_MS) });
    const page = { mode, priceId: priceOf(input), cents: String(input.cents), at, expiresAt: after(TTL_MS) };
    const [created] = await change.run(CLAIM, { ...request, ...page });
    if (created) {
      // Rolls the new row back if it exceeds the limit.
      await countWithin(change, PAYMENT_RATE, { key: String(input.userId), now: at });
      if (mode === 'onetime') {
        const payment = { userId: input.userId, cents: input.cents, isSimulated: isSimulated(services) };
        await addTransaction(change, payment, { checkoutId: created.id, now: at });
      }
      return { id: created.id, isNew: true, at };
    }
    const [open] = await change.run(OPEN, request);
    if (!open) throw unavailable('The page was closed in the meantime; try again.');
    return { id: open.id, isNew: false, at };
  });
}

function priceOf({ what }: CheckoutInput): string | null {
  return what.mode === 'subscription' ? what.priceId : null;
}

const SET_TRANSACTION = query(
  'checkout-set-transaction',
  (db: Tables, { userId, id, transactionId }: CheckoutKey & { transactionId: string }) =>
    db
      .updateTable('checkout')
      .set({ transactionId })
      .where((row) => row.and({ userId, id })),
);

async function addTransaction(
  change: DatabaseTransaction,
  payment: Parameters<typeof addPayment>[1],
  { checkoutId, now }: { readonly checkoutId: string; readonly now: Date },
): Promise<void> {
  const transactionId = await addPayment(change, payment, now);
  await change.run(SET_TRANSACTION, { userId: payment.userId, id: checkoutId, transactionId });
}
