import { badRequest, conflict } from '../../../kernel/errors.js';
import type { Transaction as Change } from '../../../kernel/database.js';
import type { Jobs } from '../../../kernel/jobs.js';
import type { AccountsRuntime } from '../services.js';
import { findUser } from '../user/user.actions.js';
import { processorOf } from './processing.js';

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

/**
 * Notes for an administrator whose customer record this is, beside those that the user has.
 * @throws BAD_REQUEST unless it is an id of a customer record, CONFLICT when it is another user's
 */
export async function linkCustomer(
  { database, jobs, now }: AccountsRuntime,
  { userId, customerId }: { readonly userId: number; readonly customerId: string },
): Promise<void> {
  if (!CUSTOMER_ID.test(customerId)) throw badRequest('`customerId` must look like cus_… with letters or digits.');
  await database.change(async (change) => {
    await bindCustomer(change, jobs, { userId, customerId, now: now() });
    const [customer] = await change.execute<{ userId: number }>(
      'SELECT user_id AS "userId" FROM accounts.customer WHERE processor_customer_id = $1',
      [customerId],
    );
    if (customer?.userId !== userId) throw conflict('This customer record is another user’s.');
  });
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
    'SELECT user_id AS "userId" FROM accounts.checkout WHERE id::text = $1',
    [by.checkoutId],
  );
  if (!checkout) return undefined;
  await bindCustomer(change, jobs, { userId: checkout.userId, customerId: by.customerId, now: by.now });
  return checkout.userId;
}
