import { describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import { askSandbox, idOf, stripeClient } from '../../kit/payments/sandbox.js';

const stripe = stripeClient();

async function pay(amount = 4_000): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { transaction: 't2' } });
  return stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
}

async function typesAbout(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .filter(({ data: { object } }) => JSON.stringify(object).includes(id))
    .map(({ type }) => type)
    .toReversed();
}

describe('a payment intent', () => {
  it('waits with a client secret until it is confirmed, once', async () => {
    const intent = await stripe.paymentIntents.create({ amount: 2_000, currency: 'usd', metadata: { a: 'b' } });
    expect(intent).toMatchObject({
      id: expect.stringMatching(/^pi_\w{14,}$/),
      status: 'requires_payment_method',
      client_secret: expect.stringMatching(new RegExp(`^${intent.id}_secret_\\w+$`)),
      metadata: { a: 'b' },
    });
    expect(await stripe.paymentIntents.confirm(intent.id)).toMatchObject({ status: 'succeeded' });
    await expect(stripe.paymentIntents.confirm(intent.id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('that is declined says so with 402 and keeps what was tried', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 2_000, currency: 'usd' });
    const confirmed = stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' });
    await expect(confirmed).rejects.toMatchObject({ type: 'StripeCardError', statusCode: 402, code: 'card_declined' });
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    expect(await stripe.paymentIntents.cancel(id)).toMatchObject({ status: 'canceled' });
  });

  it('can be confirmed as it is made, and by a delayed method is settled later', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 2_000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_sepaDebit',
    });
    expect(intent).toMatchObject({ status: 'processing' });
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      message: expect.stringContaining('status of processing'),
    });
    expect(await askSandbox(`payment_intents/${intent.id}/settle`)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['gold', 'zzz', '\u{1F4B0}'])('in the currency %s is refused', async (currency) => {
    await expect(stripe.paymentIntents.create({ amount: 2_000, currency })).rejects.toMatchObject({
      statusCode: 400,
      param: 'currency',
    });
  });
});

describe('a refund', () => {
  it('gives back part after part and never more than was paid', async () => {
    const intent = await pay();
    const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 1_500 });
    expect(part).toMatchObject({ amount: 1_500, status: 'succeeded', payment_intent: intent.id });
    await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 2_501 })).rejects.toMatchObject({
      param: 'amount',
    });
    await stripe.refunds.create({ charge: idOf(intent.latest_charge) });
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    const charge = await stripe.charges.retrieve(idOf(intent.latest_charge), { expand: ['refunds'] });
    expect(charge).toMatchObject({ amount_refunded: 4_000, refunded: true });
    expect(charge.refunds?.data.map(({ amount }) => amount)).toEqual([2_500, 1_500]);
    expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2);
    expect((await typesAbout(intent.id)).filter((type) => type.includes('refund'))).toEqual([
      'refund.created',
      'charge.refunded',
      'refund.created',
      'charge.refunded',
    ]);
  });

  it('asked for twenty times at once is given once', async () => {
    const intent = await pay();
    const tries = Array.from({ length: 20 }, () => stripe.refunds.create({ payment_intent: intent.id }));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('that fails is taken back from what was refunded', async () => {
    const intent = await pay();
    const refund = await askSandbox('refunds', { payment_intent: intent.id, amount: 1_000, status: 'pending' });
    await askSandbox(`refunds/${refund.id}/end`, { outcome: 'failed' });
    const charge = await stripe.charges.retrieve(idOf(intent.latest_charge));
    expect(charge).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' });
  });
});

describe('a dispute', () => {
  it.each([
    ['won', ['charge.dispute.closed', 'charge.dispute.funds_reinstated']],
    ['lost', ['charge.dispute.closed']],
  ])('is opened on a payment, answered and %s once', async (outcome, last) => {
    const intent = await pay();
    const dispute = await askSandbox('disputes', { payment_intent: intent.id, amount: 1_000 });
    expect(dispute).toMatchObject({ status: 'needs_response', amount: 1_000, payment_intent: intent.id });
    expect(await stripe.charges.retrieve(idOf(intent.latest_charge))).toMatchObject({ disputed: true });
    await stripe.disputes.update(dispute.id, { evidence: { product_description: 'credits' } });
    await askSandbox(`disputes/${dispute.id}/close`, { outcome });
    expect((await stripe.disputes.list({ payment_intent: intent.id })).data).toMatchObject([{ status: outcome }]);
    await expect(askSandbox(`disputes/${dispute.id}/close`, { outcome })).rejects.toThrow('closed');
    expect(await typesAbout(dispute.id)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      ...last,
    ]);
  });
});
