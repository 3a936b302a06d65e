import { describe, expect, it } from '@jest/globals';
import {
  balanceOf,
  chargeOf,
  deliver,
  disputeOf,
  eventOf,
  openPage,
  pay,
  processorId,
  sessionOf,
} from '../../../kit/payments/payments.js';
import { asAdmin, type Json } from '../../../kit/platform.js';
import { signIn } from '../../../kit/accounts/wallet.js';

const statusOf = async (event: Json): Promise<Json> => {
  const { status } = await deliver(event);
  const { processorEvents } = await asAdmin('{ processorEvents(pageSize: 200) { results { id status note } } }');
  const kept = processorEvents.results.find(({ id }: Json) => id === event.id);
  return { answer: status, status: kept?.status, hasNote: kept?.note != null };
};
const FAILED = { answer: 200, status: 'failed', hasNote: true };

const invoiceOf = (customer: string, cents: number): Json => ({
  id: processorId('in'),
  object: 'invoice',
  customer,
  status: 'paid',
  amount_paid: cents,
  amount_due: cents,
  total: cents,
  currency: 'usd',
  lines: { data: [] },
});

describe('an invalid signed event', () => {
  it('grants nothing when it names the pages of two users', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const [page, strange] = [await openPage(one, 25), await openPage(other, 25)];
    const metadata = { checkout_id: strange.id, transaction_id: strange.transactionId };
    const event = eventOf('checkout.session.completed', sessionOf(page, { metadata }));
    expect(await statusOf(event)).toEqual({ answer: 200, status: 'flagged', hasNote: true });
    expect([await balanceOf(one), await balanceOf(other)]).toEqual(['0', '0']);
    await pay(strange);
    expect(await balanceOf(other)).toBe('25');
  });

  it.each([
    ['a negative refund', (page) => eventOf('charge.refunded', chargeOf(page, -500))],
    ['a negative dispute', (page) => eventOf('charge.dispute.created', disputeOf(page, processorId('dp'), 'lost', -1))],
    ['an amount too large', (page) => eventOf('checkout.session.completed', sessionOf(page, { amount_total: 9e15 }))],
    ['a timestamp beyond the Date range', (page) => eventOf('checkout.session.completed', sessionOf(page), 1e300)],
    ['a timestamp in the far future', (page) => eventOf('checkout.session.completed', sessionOf(page), 1e14)],
  ] as [string, (page: Awaited<ReturnType<typeof openPage>>) => Json][])(
    'is recorded as failed: %s',
    async (_, make) => {
      const user = await signIn();
      const page = await openPage(user, 25);
      if (!make(page).type.startsWith('checkout')) await pay(page);
      const before = await balanceOf(user);
      expect(await statusOf(make(page))).toEqual(FAILED);
      expect(await balanceOf(user)).toBe(before);
    },
  );

  it.each([-500, 9e15])('is recorded as failed: an invoice of %d cents', async (cents) => {
    const user = await signIn();
    const customer = processorId('cus').replace('_', '_x');
    await deliver(eventOf('checkout.session.completed', sessionOf(await openPage(user, 25), { customer })));
    expect(await statusOf(eventOf('invoice.paid', invoiceOf(customer, cents)))).toEqual(FAILED);
  });

  it.each([1e300, 1e14])('is recorded as failed: a period that begins at %d', async (begin) => {
    const subscription = {
      id: processorId('sub'),
      object: 'subscription',
      customer: processorId('cus'),
      status: 'active',
      created: 1,
      items: { data: [{ price: { id: 'price_ofAnotherTime00' }, current_period_start: begin }] },
    };
    expect(await statusOf(eventOf('customer.subscription.created', subscription))).toEqual(FAILED);
  });

  it('is refused when its id is malformed', async () => {
    const { status } = await deliver({ ...eventOf('charge.refunded', {}), id: 'evt_\0' });
    expect(status).toBe(400);
  });
});
