import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { asAdmin, codeOf, graphql } from '../../../kit/platform.js';
import { deliver, eventOf, processorId, seconds } from '../../../kit/payments/payments.js';
import { PLUS, Shopper } from '../../../kit/payments/processor.js';
import type { SignedIn } from '../../../kit/accounts/wallet.js';

let platform: PlatformOnDatabase;
let sql: Client;
let shop: Shopper;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  await sql.query(
    `CREATE FUNCTION accounts.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER stuck BEFORE UPDATE ON accounts.checkout FOR EACH ROW
       WHEN (OLD.request_key LIKE 'stuck%' AND NEW.status <> OLD.status) EXECUTE FUNCTION accounts.refuse();`,
  );
  shop = new Shopper({ url: platform.url, sandboxUrl: platform.url });
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});
beforeEach(async () => {
  user = await shop.signIn();
});
afterEach(() => sql.query('DELETE FROM accounts.checkout WHERE transaction_id IS NULL'));

/** Adds a page that ran out, so many minutes ago, before its opening was confirmed. */
const addOverdue = (name: string, minutes: number) =>
  sql.query(
    `INSERT INTO accounts.checkout (user_id, mode, request_key, cents, status, created_at, expires_at)
     VALUES ($1, 'onetime', $2, 2000, 'opening', now() - interval '1 day', now() - make_interval(mins => $3))`,
    [user.userId, name, minutes],
  );

const look = () =>
  graphql('mutation { adminReconcilePayments { replayed } }', { token: ADMIN_TOKEN, url: platform.url });

async function stateOf(name: string): Promise<string> {
  const { rows } = await sql.query('SELECT status FROM accounts.checkout WHERE user_id = $1 AND request_key = $2', [
    user.userId,
    name,
  ]);
  return rows[0].status;
}

/** An event of a subscription of an unknown customer, which arrived so many days ago. */
async function parkEvent(days: number): Promise<{ id: string; customer: string }> {
  const customer = processorId('cus');
  const items = { data: [{ price: { id: PLUS }, current_period_start: seconds(), current_period_end: seconds(1000) }] };
  const subscription = {
    id: processorId('sub'),
    object: 'subscription',
    customer,
    status: 'active',
    created: seconds(),
  };
  const event = eventOf('customer.subscription.created', { ...subscription, cancel_at_period_end: false, items });
  await deliver(event, { url: platform.url });
  await sql.query('UPDATE accounts.processor_event SET received_at = now() - make_interval(days => $2) WHERE id = $1', [
    event.id,
    days,
  ]);
  return { id: event.id, customer };
}

async function statusesOf(ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query('SELECT id, status FROM accounts.processor_event WHERE id = ANY($1)', [ids]);
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
}

describe('an event of an unknown customer', () => {
  it('is tried again by every look for three days, and by administrators after that', async () => {
    const [young, old] = [await parkEvent(2), await parkEvent(4)];
    const ids = [young.id, old.id];
    const parked = await statusesOf(ids);
    // Known by another way than a link, which tries the events of the customer at once.
    await sql.query(
      `INSERT INTO accounts.customer (user_id, processor_customer_id, is_platform_created, created_at)
       SELECT $1, unnest($2::text[]), false, now()`,
      [user.userId, [young.customer, old.customer]],
    );
    await look();
    const looked = await statusesOf(ids);
    await asAdmin('mutation { adminReplayEvents { replayed } }', {}, platform.url);
    expect([parked, looked, await statusesOf(ids)]).toEqual([
      ['parked', 'parked'],
      ['processed', 'parked'],
      ['processed', 'processed'],
    ]);
  });
});

describe('an event of a customer who stays unknown', () => {
  it('is not applied again by every look', async () => {
    const { id } = await parkEvent(1);
    const version = async () =>
      (await sql.query('SELECT xmin::text, status FROM accounts.processor_event WHERE id = $1', [id])).rows;
    const before = await version();
    await look();
    expect(await version()).toEqual(before);
  });
});

describe('a look at the payment processor', () => {
  it('closes the other pages that ran out when one cannot be closed, and says that it failed', async () => {
    await addOverdue('stuck', 30);
    await addOverdue('other', 20);
    const code = codeOf(await look());
    expect({ code, stuck: await stateOf('stuck'), other: await stateOf('other') }).toEqual({
      code: 'INTERNAL',
      stuck: 'opening',
      other: 'expired',
    });
  });

  it('comes to every page in time, though more cannot be closed than it takes at once', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, index) => addOverdue(`stuck-${index}`, 30)));
    await addOverdue('other', 20);
    await look();
    await look();
    expect(await stateOf('other')).toBe('expired');
  });

  it('reads the events again when a clock that was ahead stored the time of the last look', async () => {
    await look();
    await sql.query("UPDATE accounts.reconciliation SET reconciled_until = now() + interval '1 day'");
    const page = await shop.openPage(user, 25);
    await shop.deliverBy({ session: page.sessionId, drop: true });
    await shop.ask(`sessions/${page.sessionId}/pay`);
    await look();
    const { rows } = await sql.query('SELECT reconciled_until <= now() AS "isPast" FROM accounts.reconciliation');
    expect({ balance: await shop.balanceOf(user), rows }).toEqual({ balance: '25', rows: [{ isPast: true }] });
  });

  it('closes pages also when an event cannot be taken in', async () => {
    await addOverdue('other', 20);
    const page = await shop.openPage(user, 25);
    await shop.deliverBy({ session: page.sessionId, drop: true });
    await shop.ask(`sessions/${page.sessionId}/pay`);
    await sql.query(
      `CREATE TRIGGER stuck BEFORE INSERT ON accounts.processor_event FOR EACH ROW EXECUTE FUNCTION accounts.refuse()`,
    );
    const code = codeOf(await look());
    await sql.query('DROP TRIGGER stuck ON accounts.processor_event');
    const closed = await stateOf('other');
    await look();
    expect({ code, closed, balance: await shop.balanceOf(user) }).toEqual({
      code: 'INTERNAL',
      closed: 'expired',
      balance: '25',
    });
  });
});

describe('a card payment without a page', () => {
  /** Opens a payment so many hours ago. @returns its transaction and its id at the processor */
  async function openAgo(hours: number): Promise<{ id: string; intent: string }> {
    const { id } = await shop.createTransaction(user, 25);
    await sql.query('UPDATE accounts.transaction SET created_at = now() - make_interval(hours => $2) WHERE id = $1', [
      id,
      hours,
    ]);
    const { rows } = await sql.query('SELECT payment_intent_id FROM accounts.payment WHERE transaction_id = $1', [id]);
    return { id, intent: rows[0].payment_intent_id };
  }

  const stateOfPayment = async ({ id, intent }: { id: string; intent: string }) => ({
    here: (await shop.transactionOf(user, id)).status,
    there: (await shop.stripe.paymentIntents.retrieve(intent)).status,
  });

  it('expires after a day, is canceled at the processor, and is no failure that its user is told of', async () => {
    const [old, young] = [await openAgo(25), await openAgo(23)];
    await look();
    const { rows } = await sql.query('SELECT title FROM accounts.notification WHERE user_id = $1', [user.userId]);
    expect({ old: await stateOfPayment(old), young: await stateOfPayment(young), rows }).toEqual({
      old: { here: 'expired', there: 'canceled' },
      young: { here: 'pending', there: 'requires_payment_method' },
      rows: [],
    });
  });

  it('stays pending while the bank has not decided', async () => {
    const payment = await openAgo(25);
    await shop.stripe.paymentIntents.confirm(payment.intent, { payment_method: 'pm_sepa' });
    await look();
    expect(await stateOfPayment(payment)).toEqual({ here: 'pending', there: 'processing' });
  });

  it('that the processor does not know expires, and is granted if it is paid after all', async () => {
    const { id, intent } = await openAgo(25);
    await sql.query(`UPDATE accounts.payment SET payment_intent_id = 'pi_unknown' WHERE transaction_id = $1`, [id]);
    await look();
    const { status } = await shop.transactionOf(user, id);
    await sql.query('UPDATE accounts.payment SET payment_intent_id = $2 WHERE transaction_id = $1', [id, intent]);
    await shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    await look();
    expect({ status, balance: await shop.balanceOf(user) }).toEqual({ status: 'expired', balance: '25' });
  });
});
