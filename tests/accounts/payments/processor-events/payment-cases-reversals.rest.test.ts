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
import type { Json } from '../../../kit/platform.js';
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
