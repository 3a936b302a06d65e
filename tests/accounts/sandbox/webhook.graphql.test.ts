import { afterEach, describe, expect, it } from '@jest/globals';
import { Stripe } from 'stripe';
import { PAYMENTS } from '../../kit/arrangements.js';
import { askSandbox, openReceiver, stripeClient, type Receiver } from '../../kit/payments/sandbox.js';

const stripe = stripeClient();
const [NEW_SECRET = '', OLD_SECRET = ''] = PAYMENTS.PAYPROC_WEBHOOK_SECRET.split(',');

const receivers: Receiver[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function listen(answer?: (attempt: number) => number): Promise<Receiver> {
  const receiver = await openReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

/** A customer whose events go to the receiver in this manner. */
async function customerWith(rule: Readonly<Record<string, string | number | boolean>>): Promise<string> {
  const { id } = await stripe.customers.create({ email: 'listener@example.com' });
  await askSandbox('delivery_rule', { customer: id, ...rule });
  return id;
}

async function pay(customer: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({ amount: 2_000, currency: 'usd', customer, confirm: true });
}

const verify = (body: string, signature: string, secret: string) =>
  Stripe.webhooks.constructEvent(body, signature, secret);

describe('a webhook of the sandbox', () => {
  it('carries the event that the API lists, signed with the newest secret', async () => {
    const receiver = await listen();
    const customer = await customerWith({ url: receiver.url });
    const intent = await pay(customer);
    const [webhook] = await receiver.receive(1);
    const event = verify(webhook?.body ?? '', webhook?.signature ?? '', NEW_SECRET);
    expect(event).toMatchObject({
      object: 'event',
      type: 'payment_intent.succeeded',
      livemode: false,
      data: { object: { id: intent.id, customer } },
    });
    expect(JSON.parse(webhook?.body ?? '')).toEqual(JSON.parse(JSON.stringify(await stripe.events.retrieve(event.id))));
  });

  it('is sent again until it is taken', async () => {
    const receiver = await listen((attempt) => (attempt < 3 ? 500 : 200));
    const customer = await customerWith({ url: receiver.url });
    await pay(customer);
    await receiver.receive(1);
    const settled = async () => {
      for (;;) {
        const { data } = await askSandbox('deliveries', { customer, state: 'delivered' }, 'GET');
        if (data.length > 0) return data[0].attempts.map(({ status }: { status: number }) => status);
      }
    };
    expect(await settled()).toEqual([500, 500, 200]);
  });

  it('that is lost on the way as told arrives later', async () => {
    const receiver = await listen();
    await pay(await customerWith({ url: receiver.url, fail_times: 1 }));
    expect(await receiver.receive(1)).toHaveLength(1);
  });

  it('comes as often as told, side by side', async () => {
    const receiver = await listen();
    await pay(await customerWith({ url: receiver.url, copies: 5, at_once: true }));
    const ids = (await receiver.receive(5)).map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(1);
  });

  it('that is held comes when it is released, in the order asked for', async () => {
    const receiver = await listen();
    const customer = await customerWith({ url: receiver.url, hold: true });
    const intents = [await pay(customer), await pay(customer), await pay(customer)];
    expect(receiver.received).toEqual([]);
    await askSandbox('deliveries/release', { customer, order: 'reverse' });
    const paid = (await receiver.receive(3)).map(({ event }) => event.data.object.id);
    expect(paid).toEqual(intents.map(({ id }) => id).toReversed());
  });

  it('that was dropped can be delivered all the same', async () => {
    const receiver = await listen();
    const customer = await customerWith({ url: receiver.url, drop: true });
    await pay(customer);
    const { data } = await askSandbox('deliveries', { customer, state: 'dropped' }, 'GET');
    await askSandbox(`events/${data[0].event}/deliver`, { url: receiver.url });
    expect((await receiver.receive(1))[0]?.event.id).toBe(data[0].event);
  });

  it.each([
    ['an old secret', { secret: 'old' }, OLD_SECRET, undefined],
    ['a secret that nobody knows', { secret: 'wrong' }, NEW_SECRET, 'No signatures found'],
    ['a time that is long past', { age_seconds: 1_000 }, NEW_SECRET, 'Timestamp outside the tolerance'],
  ])('may be signed with %s', async (_manner, rule, secret, fault) => {
    const receiver = await listen();
    await pay(await customerWith({ url: receiver.url, ...rule }));
    const [webhook] = await receiver.receive(1);
    const check = () => verify(webhook?.body ?? '', webhook?.signature ?? '', secret);
    if (fault === undefined) expect(check()).toMatchObject({ type: 'payment_intent.succeeded' });
    else expect(check).toThrow(fault);
  });

  it('tells of the types that the rule names in its manner, of others as usual', async () => {
    const receiver = await listen();
    const customer = await customerWith({ url: receiver.url, types: 'charge.refunded' });
    const intent = await pay(customer);
    await stripe.refunds.create({ payment_intent: intent.id });
    const [webhook] = await receiver.receive(1);
    expect(webhook?.event.type).toBe('charge.refunded');
  });
});

describe('a rule for a session without a customer', () => {
  it('is for its payment too, and for the dispute of that', async () => {
    const receiver = await listen();
    const price_data = { currency: 'usd', unit_amount: 2_000, product_data: { name: 'credits' } };
    const session = await stripe.checkout.sessions.create({
      line_items: [{ quantity: 1, price_data }],
      mode: 'payment',
      success_url: 'https://app.example/',
    });
    await askSandbox('delivery_rule', { session: session.id, url: receiver.url });
    const { payment_intent } = await askSandbox(`sessions/${session.id}/pay`);
    await askSandbox('disputes', { payment_intent });
    const types = (await receiver.receive(3)).map(({ event }) => event.type);
    expect(new Set(types)).toEqual(
      new Set(['charge.dispute.created', 'checkout.session.completed', 'payment_intent.succeeded']),
    );
  });
});

describe('the list of events', () => {
  it('is narrowed down by type and time and read page by page', async () => {
    const { id } = await stripe.customers.create({ email: 'lists@example.com' });
    const since = Math.floor(Date.now() / 1000) - 1;
    const intents = [await pay(id), await pay(id), await pay(id)];
    const seen: string[] = [];
    const types = ['payment_intent.succeeded'];
    for await (const event of stripe.events.list({ types, created: { gte: since }, limit: 1 })) {
      seen.push((event.data.object as Stripe.PaymentIntent).id);
      if (intents.every((intent) => seen.includes(intent.id))) break;
    }
    expect(seen.filter((intent) => intents.some((made) => made.id === intent))).toEqual(
      intents.map((intent) => intent.id).toReversed(),
    );
  });
});
