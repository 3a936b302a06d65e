import { sql } from 'kysely';
import { badRequest, conflict, errorCode, notFound } from '../../../../kernel/errors.js';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { findUser } from '../../identity/user/user.actions.js';
import { processorOf } from '../processor/open-processor.js';

const OF_USER = query('customer-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('customer as c')
    .leftJoin('subscription as s', 's.processorCustomerId', 'c.processorCustomerId')
    .select('c.processorCustomerId as id')
    .where('c.userId', '=', value.userId)
    .where('c.processorCustomerId', 'is not', null)
    .where('c.deletedAt', 'is', null)
    .orderBy('s.id', (by) => by.desc().nullsLast())
    .orderBy('c.isPlatformCreated', 'desc')
    .limit(1)
    .$narrowType<{ id: string }>(),
);

/**
 * The processor's id of a user's customer record: the one with the latest subscription, else the one that we created.
 */
export async function customerOf({ database }: AccountsRuntime, userId: number): Promise<string | undefined> {
  const [customer] = await database.run(OF_USER, { userId });
  return customer?.id;
}

const ENSURE_CUSTOMER = query('ensure-customer', (db: Tables, value: { userId: number; now: Date }) =>
  db
    .insertInto('customer')
    .values({ userId: value.userId, isPlatformCreated: true, createdAt: value.now })
    .onConflict((on) =>
      on
        .column('userId')
        .where(sql<boolean>`is_platform_created`)
        .doUpdateSet({ isPlatformCreated: true }),
    )
    .returning('id'),
);
const NAME_CUSTOMER = query('name-customer', (db: Tables, value: CustomerLink & { rowId: string }) =>
  db
    .updateTable('customer')
    .set({ processorCustomerId: value.customerId })
    .where('userId', '=', value.userId)
    .where('id', '=', value.rowId),
);

/** Returns the user's customer record; creates it if there is none, only once under concurrent calls. */
export async function ensureCustomer(runtime: AccountsRuntime, userId: number): Promise<string> {
  const known = await customerOf(runtime, userId);
  if (known !== undefined) return known;
  const { database, jobs, now } = runtime;
  const rowId = await database.change(async (change) => {
    const [row] = await change.run(ENSURE_CUSTOMER, { userId, now: now() });
    return row?.id ?? '';
  });
  const user = await findUser(database, userId);
  const processor = await processorOf(runtime);
  const customerId = await processor.addCustomer({ rowId, userId });
  if (user?.email != null)
    await processor.setCustomerEmail(customerId, user.email).catch((error: unknown) => {
      if (errorCode(error) !== 'BAD_REQUEST') throw error;
      runtime.log.warn({ userId, customerId }, 'the payment processor refused the e-mail of a customer');
    });
  await database.change(async (change) => {
    await change.run(NAME_CUSTOMER, { userId, rowId, customerId });
    await enqueueReplay(change, jobs, customerId);
  });
  return customerId;
}

/** Its owner stays known, for later events of the record; the user gets another record. */
const MARK_DELETED = query('customer-mark-deleted', (db: Tables, value: CustomerLink & { now: Date }) =>
  db
    .updateTable('customer')
    .set({ deletedAt: value.now, isPlatformCreated: false })
    .where('userId', '=', value.userId)
    .where('processorCustomerId', '=', value.customerId),
);

/**
 * Runs a request for the customer record of a user. A record that was deleted at the processor is replaced by a new one, for which the
 * request is sent once more.
 */
export async function withCustomer<Result>(
  runtime: AccountsRuntime,
  userId: number,
  send: (customerId: string) => Promise<Result>,
): Promise<Result> {
  const customerId = await ensureCustomer(runtime, userId);
  return send(customerId).catch(async (error: unknown) => {
    const processor = await processorOf(runtime);
    if (errorCode(error) !== 'BAD_REQUEST' || (await processor.hasCustomer(customerId))) throw error;
    runtime.log.warn({ userId, customerId }, 'a customer record was deleted at the payment processor');
    await runtime.database.change((change) => change.run(MARK_DELETED, { userId, customerId, now: runtime.now() }));
    return send(await ensureCustomer(runtime, userId));
  });
}

const BIND_CUSTOMER = query(
  'bind-customer',
  (_: Tables, { userId, customerId, now }: CustomerLink & { now: Date }) => sql<{ id: string }>`
  INSERT INTO accounts.customer (user_id, processor_customer_id, is_platform_created, created_at)
  SELECT ${userId}::integer, ${customerId}::text, false, ${now}::timestamptz
   WHERE NOT EXISTS (SELECT FROM accounts.unlinked_customer
                      WHERE user_id = ${userId} AND processor_customer_id = ${customerId})
  ON CONFLICT (processor_customer_id) DO NOTHING
  RETURNING id`,
);

/**
 * Links a customer record of the processor to a user, and replays the events that wait for it. A record that an
 * administrator unlinked from the user stays unlinked.
 */
export async function bindCustomer(
  change: DatabaseTransaction,
  jobs: Jobs,
  bound: CustomerLink & { readonly now: Date },
): Promise<void> {
  const added = await change.run(BIND_CUSTOMER, bound);
  if (added.length > 0) await enqueueReplay(change, jobs, bound.customerId);
}

/** A customer record of the processor and its user. */
export interface CustomerLink {
  readonly userId: number;
  /** The processor's id. */
  readonly customerId: string;
}

const FORGET_UNLINKED = query('forget-unlinked-customer', (db: Tables, value: CustomerLink) =>
  db
    .deleteFrom('unlinkedCustomer')
    .where('userId', '=', value.userId)
    .where('processorCustomerId', '=', value.customerId),
);

const USER_OF_CUSTOMER = query('user-of-customer', (db: Tables, value: { customerId: string }) =>
  db.selectFrom('customer').select('userId').where('processorCustomerId', '=', value.customerId),
);
const MOVE_SUBSCRIPTIONS = query('move-subscriptions', (db: Tables, value: CustomerLink) =>
  db
    .updateTable('subscription')
    .set({ userId: value.userId })
    .where('processorCustomerId', '=', value.customerId)
    .where('userId', '<>', value.userId),
);

/**
 * Links another customer record to a user, for an administrator. Its subscriptions move with it. @throws BAD_REQUEST
 * for an invalid id, NOT_FOUND when the processor does not know it, CONFLICT when it belongs to another user,
 * UNAVAILABLE
 */
export async function linkCustomer(runtime: AccountsRuntime, { userId, customerId }: CustomerLink): Promise<void> {
  checkCustomerId(customerId);
  const { database, jobs, now } = runtime;
  const processor = await processorOf(runtime);
  if (!(await processor.hasCustomer(customerId)))
    throw notFound(`The payment processor has no customer record ${customerId}.`);
  await database.change(async (change) => {
    await change.run(FORGET_UNLINKED, { userId, customerId });
    await bindCustomer(change, jobs, { userId, customerId, now: now() });
    const [customer] = await change.run(USER_OF_CUSTOMER, { customerId });
    if (customer?.userId !== userId) throw conflict('This customer record is linked to another user.');
    await change.run(MOVE_SUBSCRIPTIONS, { userId, customerId });
    return { userId };
  });
}

const UNLINK_CUSTOMER = query('unlink-customer', (db: Tables, value: CustomerLink) =>
  db
    .deleteFrom('customer')
    .where('userId', '=', value.userId)
    .where('processorCustomerId', '=', value.customerId)
    .returning('id'),
);

const REMEMBER_UNLINKED = query('remember-unlinked-customer', (db: Tables, value: CustomerLink & { now: Date }) =>
  db
    .insertInto('unlinkedCustomer')
    .values({ userId: value.userId, processorCustomerId: value.customerId, unlinkedAt: value.now })
    .onConflict((on) => on.doNothing()),
);

/**
 * Unlinks a customer record until it is linked again; its earlier effects stay. @returns false if it was not linked to the user @throws
 * BAD_REQUEST for an invalid id
 */
export async function unlinkCustomer({ database, now }: AccountsRuntime, link: CustomerLink): Promise<boolean> {
  checkCustomerId(link.customerId);
  const { removed } = await database.change(async (change) => {
    const unlinked = await change.run(UNLINK_CUSTOMER, link);
    if (unlinked.length > 0) await change.run(REMEMBER_UNLINKED, { ...link, now: now() });
    return { userId: link.userId, removed: unlinked };
  });
  return removed.length > 0;
}

function checkCustomerId(id: string): void {
  if (!CUSTOMER_ID.test(id)) throw badRequest('`customerId` must be cus_ followed by letters or digits.');
}

const CUSTOMER_ID = /^cus_[A-Za-z0-9]{1,200}$/;

async function enqueueReplay(change: DatabaseTransaction, jobs: Jobs, customerId: string): Promise<void> {
  await jobs.enqueue(change, 'replay-events', { waitsFor: customerId }, { key: customerId });
}

const USER_OF_CHECKOUT = query('user-of-checkout', (db: Tables, value: { id: string | null }) =>
  db.selectFrom('checkout').select('userId').where('id', '=', value.id),
);

/**
 * Returns the user of a customer record; before it is first linked, the user of the checkout page that it was created
 * for.
 */
export async function userOfCustomer(
  change: DatabaseTransaction,
  jobs: Jobs,
  by: { readonly customerId: string; readonly checkoutId: string | null; readonly now: Date },
): Promise<number | undefined> {
  const [known] = await change.run(USER_OF_CUSTOMER, { customerId: by.customerId });
  if (known || by.checkoutId === null) return known?.userId;
  const [checkout] = await change.run(USER_OF_CHECKOUT, { id: uuidOf(by.checkoutId) });
  if (!checkout) return undefined;
  await bindCustomer(change, jobs, { userId: checkout.userId, customerId: by.customerId, now: by.now });
  const [bound] = await change.run(USER_OF_CUSTOMER, { customerId: by.customerId });
  return bound?.userId;
}
