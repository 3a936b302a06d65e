import { beforeEach, describe, expect, it } from '@jest/globals';
import { serviceToken, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import {
  balanceOf,
  chargeOf,
  deliver,
  eventOf,
  openPage,
  processorId,
  seconds,
  sessionOf,
  transactionOf,
  type OpenPage,
} from '../../../kit/payments/payments.js';
import { asAdmin, codeOf, graphql, type Json } from '../../../kit/platform.js';

it('a flagged payment is shown until it is refunded, and can be granted if the refund fails', async () => {
  const user = await signIn();
  const page = await openPage(user, 25);
  const start = seconds(-9);
  const isShown = async () => {
    const { flaggedPayments } = await asAdmin('{ flaggedPayments { transactionId } }');
    return flaggedPayments.some(({ transactionId }: Json) => transactionId === page.transactionId);
  };
  await deliver(eventOf('checkout.session.completed', sessionOf(page, { amount_total: 2500_00 }), start));
  const before = await isShown();
  await deliver(eventOf('charge.refunded', { ...chargeOf(page, 2500_00), amount: 2500_00 }, start + 3));
  const { status } = await transactionOf(user, page.transactionId);
  expect({ before, status, after: await isShown() }).toEqual({ before: true, status: 'refunded', after: false });
  const refund = { id: processorId('re'), object: 'refund', amount: 2500_00, payment_intent: page.intentId };
  await deliver(eventOf('refund.failed', { ...refund, status: 'failed', created: start + 3 }, start + 6));
  const again = await transactionOf(user, page.transactionId);
  expect({ status: again.status, isShown: await isShown() }).toEqual({ status: 'payment_confirmed', isShown: true });
  const { adminGrantFlaggedPayment: granted } = await asAdmin(GRANT, { id: page.transactionId });
  expect(granted).toEqual({ credits: '25', hasChanged: true });
});

const GRANT = `mutation ($id: String!, $credits: Decimal) {
  adminGrantFlaggedPayment(transactionId: $id, credits: $credits) { credits hasChanged } }`;

describe('adminGrantFlaggedPayment', () => {
  let user: SignedIn;
  let page: OpenPage;
  let paid: Json;
  beforeEach(async () => {
    user = await signIn();
    page = await openPage(user, 25);
    paid = sessionOf(page, { amount_total: 100_00 });
    await deliver(eventOf('checkout.session.completed', paid, seconds(-9)));
  });

  const grant = async (credits?: string) =>
    (await asAdmin(GRANT, { id: page.transactionId, credits })).adminGrantFlaggedPayment;
  const refusalOf = async (id: string, token: string) => codeOf(await graphql(GRANT, { token, variables: { id } }));

  it('grants once, however often it and the events of the payment are repeated', async () => {
    const grants = [await grant(), await grant()];
    await deliver(eventOf('checkout.session.completed', { ...paid, amount_total: 25_00 }));
    await asAdmin('mutation { adminReplayEvents { replayed } }');
    const { status } = await transactionOf(user, page.transactionId);
    expect({ grants, status, balance: await balanceOf(user) }).toEqual({
      grants: [
        { credits: '25', hasChanged: true },
        { credits: '25', hasChanged: false },
      ],
      status: 'completed',
      balance: '25',
    });
  });

  it('grants the given credits, of which refunds of the paid money take back their part', async () => {
    await grant('100.5');
    const before = await balanceOf(user);
    await deliver(eventOf('charge.refunded', chargeOf(page, 50_00), seconds(-3)));
    const half = await balanceOf(user);
    await deliver(eventOf('charge.refunded', chargeOf(page, 100_00), seconds(-2)));
    expect([before, half, await balanceOf(user)]).toEqual(['100.5', '50.25', '0']);
  });

  it('refuses what needs no decision: a refunded payment, one that nobody paid, and what is none', async () => {
    const token = await serviceToken('ADMIN');
    await deliver(eventOf('charge.refunded', chargeOf(page, 100_00), seconds(-3)));
    const open = await openPage(user, 26);
    expect([
      await refusalOf(page.transactionId, token),
      await refusalOf(open.transactionId, token),
      await refusalOf('nonsense', token),
    ]).toEqual(['CONFLICT', 'CONFLICT', 'NOT_FOUND']);
  });

  it('is for administrators', async () => {
    expect(await refusalOf(page.transactionId, user.token)).toBe('FORBIDDEN');
  });
});

it('a flagged payment is reported to administrators once', async () => {
  const administrator = await signIn();
  await asAdmin('mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [ADMIN]) { id } }', {
    to: administrator.substrateAddress,
  });
  const page = await openPage(await signIn(), 25);
  await deliver(eventOf('checkout.session.completed', sessionOf(page, { amount_total: 100_00 })));
  await asAdmin('mutation { adminReplayEvents { replayed } }');
  const { data } = await graphql('{ notifications { results { text } } }', { token: administrator.token });
  const texts = data.notifications.results.map(({ text }: Json) => text);
  expect(texts.filter((text: string) => text.includes(page.transactionId))).toEqual([
    expect.stringContaining('100 USD instead of 25 USD'),
  ]);
});
