import { describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import { platform } from '../../kit/platform.js';
import { askSandbox, idOf, press, stripeClient } from '../../kit/payments/sandbox.js';

const stripe = stripeClient();
const PLUS = 'price_SandboxPlusMonth00001';
const PRO = 'price_SandboxProMonth000001';
const PRO_YEAR = 'price_SandboxProYear0000001';

type Params = Stripe.Checkout.SessionCreateParams;

async function subscribe(more: Partial<Params> = {}, action = 'pay'): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ email: 'subscriber@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: PLUS, quantity: 1 }],
    success_url: 'https://app.example/done',
    ...more,
    subscription_data: { metadata: { user: '7' }, ...more.subscription_data },
  });
  await press(session.url ?? '', { action });
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice'],
  });
  return subscription as Stripe.Subscription;
}

async function eventsOf(customer: unknown): Promise<Stripe.Event[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.filter(({ data: { object } }) => 'customer' in object && object.customer === customer).toReversed();
}

const typesOf = (events: readonly Stripe.Event[]) => events.map(({ type }) => type);

describe('a subscription', () => {
  it('begins with a paid invoice that carries its metadata', async () => {
    const subscription = await subscribe();
    expect(subscription).toMatchObject({
      status: 'active',
      metadata: { user: '7' },
      cancel_at_period_end: false,
      items: { data: [{ price: { id: PLUS } }] },
      latest_invoice: {
        status: 'paid',
        billing_reason: 'subscription_create',
        amount_paid: 2_000,
        parent: { subscription_details: { subscription: subscription.id, metadata: { user: '7' } } },
        lines: { data: [{ amount: 2_000, pricing: { price_details: { price: PLUS } } }] },
      },
    });
    const [item] = subscription.items.data;
    const days = ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400;
    expect(days).toBeGreaterThanOrEqual(28);
    expect(typesOf(await eventsOf(subscription.customer))).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'checkout.session.completed',
    ]);
  });

  it('renews three times by its clock, each with an invoice of its own that leads to its payment', async () => {
    const subscription = await subscribe();
    const renewed = await askSandbox(`subscriptions/${subscription.id}/renew`, { times: 3 });
    const { data } = await stripe.invoices.list({ subscription: subscription.id });
    expect(data.map(({ status, billing_reason, amount_paid }) => ({ status, billing_reason, amount_paid }))).toEqual([
      ...Array.from({ length: 3 }, () => ({
        status: 'paid',
        billing_reason: 'subscription_cycle',
        amount_paid: 2_000,
      })),
      { status: 'paid', billing_reason: 'subscription_create', amount_paid: 2_000 },
    ]);
    const periods = data.map(({ lines }) => lines.data[0]?.period);
    expect(periods[0]?.end).toBe(renewed.items.data[0].current_period_end);
    for (const [index, period] of periods.slice(1).entries()) expect(period?.end).toBe(periods[index]?.start);
    const [latest] = data;
    const payments = await stripe.invoicePayments.list({ invoice: latest?.id ?? '' });
    const intent = payments.data[0]?.payment.payment_intent;
    const back = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: idOf(intent) },
    });
    expect(back.data.map(({ invoice }) => invoice)).toEqual([latest?.id]);
  });

  it('whose card is declined is past due, tries again and ends when all tries failed', async () => {
    const { id, customer } = await subscribe();
    await askSandbox(`customers/${idOf(customer)}/card`, { declines: true });
    expect(await askSandbox(`subscriptions/${id}/renew`)).toMatchObject({ status: 'past_due' });
    const [invoice] = (await stripe.invoices.list({ subscription: id })).data;
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 2_000 });
    await askSandbox(`customers/${idOf(customer)}/advance`, { days: 20 });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    const types = typesOf(await eventsOf(customer)).filter((type) => /failed|deleted/.test(type));
    expect(types).toEqual([
      ...Array.from({ length: 4 }, () => [
        'charge.failed',
        'payment_intent.payment_failed',
        'invoice.payment_failed',
      ]).flat(),
      'customer.subscription.deleted',
    ]);
  });

  it('that is past due is active again once a try is paid', async () => {
    const { id, customer } = await subscribe();
    await askSandbox(`customers/${idOf(customer)}/card`, { declines: true });
    await askSandbox(`subscriptions/${id}/renew`);
    await askSandbox(`customers/${idOf(customer)}/card`, { declines: false });
    await askSandbox(`customers/${idOf(customer)}/advance`, { days: 4 });
    expect(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid', attempt_count: 2 },
    });
  });

  it('on trial begins with an invoice of nothing and is paid when the trial ends', async () => {
    const subscription = await subscribe({ subscription_data: { trial_period_days: 7 } });
    expect(subscription).toMatchObject({ status: 'trialing', latest_invoice: { amount_due: 0, status: 'paid' } });
    await askSandbox(`customers/${idOf(subscription.customer)}/advance`, { days: 7 });
    expect(await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 2_000, billing_reason: 'subscription_cycle' },
    });
  });

  it('may be told what its next invoice asks for, also nothing', async () => {
    const { id } = await subscribe();
    await askSandbox(`subscriptions/${id}/renew`, { amount: 0 });
    const [invoice] = (await stripe.invoices.list({ subscription: id })).data;
    expect(invoice).toMatchObject({ status: 'paid', amount_due: 0, billing_reason: 'subscription_cycle' });
  });

  it('by a delayed method is active and its first invoice open until the bank pays', async () => {
    const subscription = await subscribe({ allowed_payment_method_types: ['sepa_debit'] }, 'delay');
    expect(subscription).toMatchObject({ status: 'active', latest_invoice: { status: 'open' } });
    await askSandbox(`customers/${idOf(subscription.customer)}/advance`, { days: 3 });
    expect(await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })).toMatchObject({
      latest_invoice: { status: 'paid' },
    });
  });
});

describe('another plan', () => {
  it('is settled with the next invoice, or at once when asked for', async () => {
    const subscription = await subscribe();
    const change = { items: [{ id: subscription.items.data[0]?.id ?? '', price: PRO }] };
    await stripe.subscriptions.update(subscription.id, { ...change, proration_behavior: 'always_invoice' });
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', status: 'paid', amount_paid: 3_000 });
    expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-2_000, 5_000]);
    const downgrade = { items: [{ id: subscription.items.data[0]?.id ?? '', price: PLUS }] };
    await stripe.subscriptions.update(subscription.id, downgrade);
    await askSandbox(`subscriptions/${subscription.id}/renew`);
    const [next] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(next).toMatchObject({ amount_due: 0, total: -1_000, ending_balance: -1_000, status: 'paid' });
  });

  it('with another interval begins a new period at once', async () => {
    const subscription = await subscribe();
    const items = [{ id: subscription.items.data[0]?.id ?? '', price: PRO_YEAR }];
    const changed = await stripe.subscriptions.update(subscription.id, { items });
    const [item] = changed.items.data;
    const days = ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400;
    expect(days).toBeGreaterThanOrEqual(365);
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', amount_paid: 48_000 });
  });
});

describe('the portal', () => {
  it('cancels at the end of the period, keeps and changes a subscription', async () => {
    const { id, customer } = await subscribe();
    const { url } = await stripe.billingPortal.sessions.create({
      customer: idOf(customer),
      return_url: 'https://app.example/billing',
    });
    const html = await (await fetch(platform().url + new URL(url).pathname)).text();
    expect(html).toContain('Plus, $20.00 every month');
    await press(url, { subscription: id, action: 'cancel' });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await press(url, { subscription: id, action: 'resume' });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
    await press(url, { subscription: id, action: 'change', price: PRO });
    await press(url, { subscription: id, action: 'cancel' });
    await askSandbox(`subscriptions/${id}/renew`);
    const { data } = await stripe.subscriptions.list({ customer: idOf(customer), status: 'all' });
    expect(data).toMatchObject([{ id, status: 'canceled', items: { data: [{ price: { id: PRO } }] } }]);
    expect((await stripe.subscriptions.list({ customer: idOf(customer) })).data).toEqual([]);
    expect(typesOf(await eventsOf(customer)).at(-1)).toBe('customer.subscription.deleted');
  });

  it('does nothing to the subscription of another', async () => {
    const [mine, other] = await Promise.all([subscribe(), subscribe()]);
    const { url } = await stripe.billingPortal.sessions.create({ customer: idOf(mine.customer) });
    await expect(press(url, { subscription: other.id, action: 'cancel' })).rejects.toThrow('404');
    expect(await stripe.subscriptions.retrieve(other.id)).toMatchObject({ cancel_at_period_end: false });
  });
});
