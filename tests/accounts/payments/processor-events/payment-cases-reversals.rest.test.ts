import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  balanceOf,
  chargeOf,
  deliver,
  disputeOf,
  eventOf,
  openPage,
  pay,
  processorId,
  seconds,
  sessionOf,
  transactionOf,
  type OpenPage,
} from '../../../kit/payments/payments.js';
import { asAdmin, type Json } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { twentyAtOnce } from '../../../kit/rest/rest-checks.js';

let user: SignedIn;
let page: OpenPage;
let dispute: string;
beforeEach(async () => {
  user = await signIn();
  page = await openPage(user, 100);
  dispute = processorId('dp');
});

/** Second by second, as events are dated. */
let clock = -50;
const notified = (type: string, object: Json) => deliver(eventOf(type, object, seconds((clock += 1))));
const refund = (cents: number) => notified('charge.refunded', chargeOf(page, cents));
const disputed = (status: string, cents?: number) =>
  notified(
    `charge.dispute.${status === 'needs_response' ? 'created' : 'closed'}`,
    disputeOf(page, dispute, status, cents),
  );

async function outcome(): Promise<object> {
  const { status } = await transactionOf(user, page.transactionId);
  return { status, balance: await balanceOf(user) };
}

describe('a refund', () => {
  beforeEach(() => pay(page));

  it('in part takes back its part', async () => {
    await refund(25_50);
    expect(await outcome()).toEqual({ status: 'completed', balance: '74.5' });
  });

  it('repeated takes back what it adds', async () => {
    await refund(10_00);
    await refund(30_00);
    expect(await outcome()).toEqual({ status: 'completed', balance: '70' });
  });

  it('in full takes back all', async () => {
    await refund(10_00);
    await refund(100_00);
    expect(await outcome()).toEqual({ status: 'refunded', balance: '0' });
  });

  it('told twenty times at once takes back once', async () => {
    const charge = chargeOf(page, 40_00);
    await twentyAtOnce(() => deliver(eventOf('charge.refunded', charge)));
    expect(await outcome()).toEqual({ status: 'completed', balance: '60' });
  });

  it('told in the wrong order counts as the latest said', async () => {
    const [first, second] = [chargeOf(page, 10_00), chargeOf(page, 30_00)];
    const sentAt = seconds();
    await deliver(eventOf('charge.refunded', second, sentAt - 5));
    await deliver(eventOf('charge.refunded', first, sentAt - 9));
    expect(await outcome()).toEqual({ status: 'completed', balance: '70' });
  });

  it('that fails gives back', async () => {
    await refund(30_00);
    const failed = {
      id: processorId('re'),
      object: 'refund',
      amount: 30_00,
      status: 'failed',
      payment_intent: page.intentId,
    };
    await notified('refund.failed', failed);
    await notified('refund.failed', failed);
    expect(await outcome()).toEqual({ status: 'completed', balance: '100' });
  });
});

const REPLAY = 'mutation ($ids: [String!]) { adminReplayEvents(ids: $ids) { replayed } }';

/** All orders of these events. */
function ordersOf<Event>(events: readonly Event[]): Event[][] {
  if (events.length === 0) return [[]];
  return events.flatMap((first, at) => ordersOf(events.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

interface Step {
  readonly event: 'paid' | 'refunded' | 'failed';
  readonly cents: number;
  /** Second of the event, and of the refund. */
  readonly at: number;
  readonly madeAt?: number;
}

const ONE_OF_TWO_FAILS: readonly Step[] = [
  { event: 'paid', cents: 100_00, at: 0 },
  { event: 'refunded', cents: 10_00, at: 1 },
  { event: 'refunded', cents: 15_00, at: 10 },
  { event: 'failed', cents: 5_00, at: 12, madeAt: 10 },
];
const FAILS_AT_ONCE: readonly Step[] = [
  { event: 'paid', cents: 100_00, at: 0 },
  { event: 'refunded', cents: 5_00, at: 10 },
  { event: 'failed', cents: 5_00, at: 10, madeAt: 10 },
];
describe.each([
  { name: 'one of two refunds that fails', events: ONE_OF_TWO_FAILS, balance: '90' },
  { name: 'a refund that fails within its second', events: FAILS_AT_ONCE, balance: '100' },
])('$name', ({ events, balance }) => {
  const cases = ordersOf(events).map((order) => ({ order, names: order.map(({ event }) => event).join(', ') }));
  const start = seconds(-100);

  const eventFor = (step: Step, refundId: string): Json => {
    const sentAt = start + step.at;
    if (step.event === 'paid') return eventOf('checkout.session.completed', sessionOf(page), sentAt);
    if (step.event === 'refunded') return eventOf('charge.refunded', chargeOf(page, step.cents), sentAt);
    const created = start + (step.madeAt ?? 0);
    const refunded = { id: refundId, object: 'refund', amount: step.cents, created, payment_intent: page.intentId };
    return eventOf('refund.failed', { ...refunded, status: 'failed' }, sentAt);
  };

  it.each(cases)('counts the same when told as: $names', async ({ order }) => {
    const refundId = processorId('re');
    const sent = order.map((step) => eventFor(step, refundId));
    for (const event of sent) await deliver(event);
    // A failed refund that comes first waits for its payment.
    await asAdmin(REPLAY, { ids: sent.map(({ id }) => id) });
    expect(await outcome()).toEqual({ status: 'completed', balance });
  });
});

describe('a refund that is told before the payment', () => {
  it('takes back once the payment is granted', async () => {
    await refund(25_00);
    const before = await outcome();
    await pay(page);
    expect([before, await outcome()]).toEqual([
      { status: 'pending', balance: '0' },
      { status: 'completed', balance: '75' },
    ]);
  });
});

describe('a dispute', () => {
  beforeEach(() => pay(page));

  it('that is opened takes back', async () => {
    await disputed('needs_response');
    expect(await outcome()).toEqual({ status: 'disputed', balance: '0' });
  });

  it('that is won gives back, once', async () => {
    await disputed('needs_response');
    await disputed('won');
    await disputed('won');
    expect(await outcome()).toEqual({ status: 'completed', balance: '100' });
  });

  it('that is lost leaves it taken, once', async () => {
    await disputed('needs_response');
    await disputed('lost');
    await disputed('lost');
    expect(await outcome()).toEqual({ status: 'disputed', balance: '0' });
  });

  it('whose end is told before its beginning ends as it ended', async () => {
    await disputed('won');
    await disputed('needs_response');
    expect(await outcome()).toEqual({ status: 'completed', balance: '100' });
  });

  it('of a part takes back that part', async () => {
    await disputed('needs_response', 40_00);
    expect(await outcome()).toEqual({ status: 'disputed', balance: '60' });
  });

  it('and a refund of one charge never take more than the charge', async () => {
    await refund(70_00);
    await disputed('needs_response', 100_00);
    expect(await outcome()).toEqual({ status: 'disputed', balance: '0' });
  });

  it('that is won leaves a refund of the same charge taken', async () => {
    await refund(70_00);
    await disputed('needs_response', 100_00);
    await disputed('won', 100_00);
    expect(await outcome()).toEqual({ status: 'completed', balance: '30' });
  });

  it('that only inquires takes nothing', async () => {
    await notified('charge.dispute.created', disputeOf(page, dispute, 'warning_needs_response'));
    expect(await outcome()).toEqual({ status: 'completed', balance: '100' });
  });

  it('and a refund at the same moment take back once', async () => {
    await Promise.all([refund(100_00), disputed('needs_response', 100_00), refund(100_00)]);
    expect(await outcome()).toMatchObject({ balance: '0' });
  });
});

describe('a payment that is not what was created', () => {
  it('and is paid back is refunded', async () => {
    await deliver(eventOf('checkout.session.completed', sessionOf(page, { amount_total: 1 })));
    await refund(100_00);
    expect(await outcome()).toEqual({ status: 'refunded', balance: '0' });
  });
});
