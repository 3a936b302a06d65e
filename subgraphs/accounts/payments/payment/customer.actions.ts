import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { Transaction as Change } from '../../../../kernel/database/database.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/text.js';
import type { AccountsRuntime } from '../../services.js';
import { findUser } from '../../identity/user/user.actions.js';
import { processorOf } from '../processor/open-processor.js';

const OF_USER = {
  name: 'customer-of-user',
  text: `SELECT c.processor_customer_id AS id FROM accounts.customer c
          LEFT JOIN accounts.subscription s ON s.processor_customer_id = c.processor_customer_id
         WHERE c.user_id = $1 AND c.processor_customer_id IS NOT NULL ORDER BY s.id DESC NULLS LAST, c.is_own DESC LIMIT 1`,
};

/** The processor's id of a user's customer record, if there is one: that of the latest subscription, else the own. */
export async function customerOf({ database }: AccountsRuntime, userId: number): Promise<string | undefined> {
  const [customer] = await database.rows<{ id: string }>(OF_USER, [userId]);
  return customer?.id;
}

/** The user's customer record, made when there is none; two at once make one. */
export async function ensureCustomer(runtime: AccountsRuntime, userId: number): Promise<string> {
  const known = await customerOf(runtime, userId);
  if (known !== undefined) return known;
  const { database, jobs, now } = runtime;
  const rowId = await database.change(async (change) => {
    const [row] = await change.execute<{ id: string }>(
      `INSERT INTO accounts.customer (user_id, is_own, created_at) VALUES ($1, true, $2)
       ON CONFLICT (user_id) WHERE is_own DO UPDATE SET is_own = true RETURNING id`,
      [userId, now()],
    );
    return row?.id ?? '';
  });
  const user = await findUser(database, userId);
  const processor = await processorOf(runtime);
  const customerId = await processor.addCustomer({ rowId, userId, email: user?.email ?? null });
  await database.change(async (change) => {
    await change.execute('UPDATE accounts.customer SET processor_customer_id = $2 WHERE id = $1', [rowId, customerId]);
    await replayOf(change, jobs, customerId);
  });
  return customerId;
}

/** Notes that a customer record of the processor is a user's, and has what waited for it done. */
export async function bindCustomer(
  change: Change,
  jobs: Jobs,
  bound: { readonly userId: number; readonly customerId: string; readonly now: Date },
): Promise<void> {
  const added = await change.execute<object>(
    `INSERT INTO accounts.customer (user_id, processor_customer_id, is_own, created_at) VALUES ($1, $2, false, $3)
     ON CONFLICT (processor_customer_id) DO NOTHING RETURNING id`,
    [bound.userId, bound.customerId, bound.now],
  );
  if (added.length > 0) await replayOf(change, jobs, bound.customerId);
}

/** Whose customer record of the processor it is, as an administrator says. */
export interface CustomerLink {
  readonly userId: number;
  /** The processor's id. */
  readonly customerId: string;
}

/**
 * Notes for an administrator whose customer record this is, beside those that the user has. Its subscriptions go with it.
 * @throws BAD_REQUEST unless it is an id of a customer record, NOT_FOUND when the processor knows none, CONFLICT when it
 * is another user's, UNAVAILABLE
 */
export async function linkCustomer(runtime: AccountsRuntime, { userId, customerId }: CustomerLink): Promise<void> {
  checkCustomerId(customerId);
  const { database, jobs, now } = runtime;
  const processor = await processorOf(runtime);
  if (!(await processor.hasCustomer(customerId)))
    throw notFound(`The payment processor has no customer record ${customerId}.`);
  await database.change(async (change) => {
    await bindCustomer(change, jobs, { userId, customerId, now: now() });
    const [customer] = await change.execute<{ userId: number }>(
      'SELECT user_id AS "userId" FROM accounts.customer WHERE processor_customer_id = $1',
      [customerId],
    );
    if (customer?.userId !== userId) throw conflict('This customer record is linked to another user.');
    await change.execute(
      'UPDATE accounts.subscription SET user_id = $1 WHERE processor_customer_id = $2 AND user_id <> $1',
      [userId, customerId],
    );
  });
}

/**
 * Takes a customer record from a user; what it did before stays done. @returns false when it was not the user's
 * @throws BAD_REQUEST unless it is an id of a customer record
 */
export async function unlinkCustomer(
  { database }: AccountsRuntime,
  { userId, customerId }: CustomerLink,
): Promise<boolean> {
  checkCustomerId(customerId);
  const removed = await database.change((change) =>
    change.execute<object>(
      'DELETE FROM accounts.customer WHERE user_id = $1 AND processor_customer_id = $2 RETURNING id',
      [userId, customerId],
    ),
  );
  return removed.length > 0;
}

function checkCustomerId(id: string): void {
  if (!CUSTOMER_ID.test(id)) throw badRequest('`customerId` must be cus_ followed by letters or digits.');
}

const CUSTOMER_ID = /^cus_[A-Za-z0-9]{1,200}$/;

async function replayOf(change: Change, jobs: Jobs, customerId: string): Promise<void> {
  await jobs.enqueue(change, 'replay-events', { waitsFor: customerId }, { key: customerId });
}

/** Whose customer record this is; with the id of a page of ours that it was made for, also before it is noted. */
export async function userOfCustomer(
  change: Change,
  jobs: Jobs,
  by: { readonly customerId: string; readonly checkoutId: string | null; readonly now: Date },
): Promise<number | undefined> {
  const [known] = await change.execute<{ userId: number }>(
    'SELECT user_id AS "userId" FROM accounts.customer WHERE processor_customer_id = $1',
    [by.customerId],
  );
  if (known || by.checkoutId === null) return known?.userId;
  const [checkout] = await change.execute<{ userId: number }>(
    'SELECT user_id AS "userId" FROM accounts.checkout WHERE id = $1',
    [uuidOf(by.checkoutId)],
  );
  if (!checkout) return undefined;
  await bindCustomer(change, jobs, { userId: checkout.userId, customerId: by.customerId, now: by.now });
  return checkout.userId;
}
