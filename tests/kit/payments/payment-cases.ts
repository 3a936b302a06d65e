import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../platform.js';
import { PLUS, PRO, Shopper, textOf, until, type Shop } from './processor.js';

/** Test cases of payments that need a running processor. */
export function describePayments(shopOf: () => Shop): void {
  let shop: Shopper;
  beforeAll(() => {
    shop = new Shopper(shopOf());
  });

  describe('a payment on the hosted page', () => {
    it('is granted by its webhook', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 25);
      await shop.ask(`sessions/${page.sessionId}/pay`);
      await until(async () => (await shop.balanceOf(user)) === '25');
      expect(await shop.transactionOf(user, page.transactionId)).toMatchObject({ status: 'completed', credits: 25 });
    });

    it('is granted once when each of its events is delivered twenty times concurrently', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 25);
      await shop.ask(`sessions/${page.sessionId}/pay`);
      await shop.redeliverEventsOf(page.id);
      await until(async () => (await shop.balanceOf(user)) !== '0');
      await shop.reconcile();
      expect(await shop.balanceOf(user)).toBe('25');
    });

    it('by a delayed method is granted when it succeeds', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 30);
      await shop.ask(`sessions/${page.sessionId}/pay`, { outcome: 'is pending' });
      const { status } = await shop.transactionOf(user, page.transactionId);
      await shop.ask(`sessions/${page.sessionId}/settle`, { succeeds: true });
      await until(async () => (await shop.balanceOf(user)) === '30');
      expect(status).toBe('pending');
    });

    it('by a delayed method that fails becomes failed', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 30);
      await shop.ask(`sessions/${page.sessionId}/pay`, { outcome: 'is pending' });
      await shop.ask(`sessions/${page.sessionId}/settle`, { succeeds: false });
      await until(async () => (await shop.transactionOf(user, page.transactionId)).status === 'failed');
      expect(await shop.balanceOf(user)).toBe('0');
    });

    it('is expired with its page', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 30);
      await shop.ask(`sessions/${page.sessionId}/expire`);
      await until(async () => (await shop.transactionOf(user, page.transactionId)).status === 'expired');
      expect(await shop.balanceOf(user)).toBe('0');
    });

    it('is refunded partially and fully', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 40);
      await shop.ask(`sessions/${page.sessionId}/pay`);
      const { payment_intent: intent } = await shop.stripe.checkout.sessions.retrieve(page.sessionId);
      await shop.ask('refunds', { payment_intent: textOf(intent), amount: 1500 });
      await until(async () => (await shop.balanceOf(user)) === '25');
      await shop.ask('refunds', { payment_intent: textOf(intent) });
      await until(async () => (await shop.transactionOf(user, page.transactionId)).status === 'refunded');
      expect(await shop.balanceOf(user)).toBe('0');
    });
  });

  describe('a subscription', () => {
    it('adds the credits of its plan', async () => {
      const { user, subscription } = await shop.subscribe();
      await until(async () => (await shop.subscriptionOf(user)) !== null);
      expect(await shop.subscriptionOf(user)).toEqual({
        id: subscription,
        status: 'active',
        plan_name: 'Plus',
        amount: 20,
        currency: 'usd',
        interval: 'month',
        current_period_start: expect.any(String),
        current_period_end: expect.any(String),
        cancel_at_period_end: false,
        credits_per_billing: 21,
      });
      expect(await shop.balanceOf(user)).toBe('21');
    });

    it('adds them again at every renewal', async () => {
      const { user, subscription } = await shop.subscribe();
      await shop.ask(`subscriptions/${subscription}/renew`, { times: 2 });
      await until(async () => (await shop.balanceOf(user)) === '63');
      expect((await shop.transactionsOf(user)).map(({ amount, credits }: Json) => [amount, credits])).toEqual([
        [20, 21],
        [20, 21],
        [20, 21],
      ]);
    });

    it('that fails to renew adds nothing and becomes past_due', async () => {
      const { user, customer, subscription } = await shop.subscribe();
      await shop.ask(`customers/${customer}/card`, { declines: true });
      await shop.ask(`subscriptions/${subscription}/renew`);
      await until(async () => (await shop.subscriptionOf(user))?.status === 'past_due');
      await until(async () => (await shop.transactionsOf(user)).length === 2);
      const [latest] = await shop.transactionsOf(user);
      expect({ status: latest.status, balance: await shop.balanceOf(user) }).toEqual({
        status: 'failed',
        balance: '21',
      });
    });

    it('that changes plans adds in proportion to what is paid for the change', async () => {
      const { user, customer, subscription } = await shop.subscribe();
      const { items } = await shop.stripe.subscriptions.retrieve(subscription);
      await shop.stripe.subscriptions.update(subscription, {
        items: [{ id: items.data[0]?.id ?? '', price: PRO }],
        proration_behavior: 'always_invoice',
      });
      const { data } = await shop.stripe.invoices.list({ customer });
      const paid = data[0]?.amount_paid ?? 0;
      await until(async () => (await shop.balanceOf(user)) !== '21');
      expect({ isPart: paid > 0 && paid < 5000, balance: Number(await shop.balanceOf(user)) }).toEqual({
        isPart: true,
        balance: expect.closeTo(21 + (paid * 55) / 5000, 9),
      });
    });

    it('that costs nothing this time adds nothing', async () => {
      const { user, subscription } = await shop.subscribe();
      await shop.ask(`subscriptions/${subscription}/renew`, { amount: 0 });
      await shop.reconcile();
      expect(await shop.balanceOf(user)).toBe('21');
    });

    it('on trial adds nothing until the trial is over and paid', async () => {
      const user = await shop.signIn();
      const { customer } = await shop.openSubscription(user);
      const { id } = await shop.stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: PLUS, quantity: 1 }],
        success_url: 'https://app.example/done',
        subscription_data: { trial_period_days: 7 },
      });
      await shop.ask(`sessions/${id}/pay`);
      await until(async () => (await shop.subscriptionOf(user))?.status === 'trialing');
      await shop.reconcile();
      const onTrial = await shop.balanceOf(user);
      await shop.ask(`customers/${customer}/advance`, { days: 7 });
      await until(async () => (await shop.subscriptionOf(user))?.status === 'active');
      await until(async () => (await shop.balanceOf(user)) !== '0');
      await shop.reconcile();
      expect({ onTrial, after: await shop.balanceOf(user) }).toEqual({ onTrial: '0', after: '21' });
    });

    it('whose payment is refunded takes its credits back, although the refund names no invoice', async () => {
      const { user, customer } = await shop.subscribe();
      await shop.ask('refunds', { payment_intent: await shop.latestPayment(customer), amount: 1000 });
      await until(async () => (await shop.balanceOf(user)) === '10.5');
      expect(await shop.transactionsOf(user)).toMatchObject([{ status: 'completed', credits: 21 }]);
    });

    it('whose payment is disputed takes its credits back, and returns them when the dispute is won', async () => {
      const { user, customer } = await shop.subscribe();
      const { id } = await shop.ask('disputes', { payment_intent: await shop.latestPayment(customer) });
      await until(async () => (await shop.balanceOf(user)) === '0');
      await shop.ask(`disputes/${id}/close`, { outcome: 'won' });
      await until(async () => (await shop.balanceOf(user)) === '21');
      expect(await shop.transactionsOf(user)).toMatchObject([{ status: 'completed' }]);
    });

    it('reaches the same final state when its events arrive in reverse', async () => {
      const user = await shop.signIn();
      const { customer, session } = await shop.openSubscription(user);
      await shop.deliverBy({ customer, hold: true });
      await shop.ask(`sessions/${session}/pay`);
      const { subscription } = await shop.stripe.checkout.sessions.retrieve(session);
      await shop.stripe.subscriptions.cancel(textOf(subscription));
      await shop.ask('deliveries/release', { customer, order: 'reverse' });
      await until(async () => (await shop.balanceOf(user)) === '21');
      await shop.reconcile();
      expect({ active: await shop.subscriptionOf(user), balance: await shop.balanceOf(user) }).toEqual({
        active: null,
        balance: '21',
      });
    });
  });

  describe('a webhook', () => {
    it('that is lost is recovered by the reconciler', async () => {
      const user = await shop.signIn();
      const { customer, session } = await shop.openSubscription(user);
      await shop.deliverBy({ customer, drop: true });
      await shop.ask(`sessions/${session}/pay`);
      await shop.reconcile();
      await shop.reconcile();
      expect(await shop.balanceOf(user)).toBe('21');
    });

    it('that is late does not delay the credits on the return page', async () => {
      const user = await shop.signIn();
      const { customer, session } = await shop.openSubscription(user);
      await shop.deliverBy({ customer, hold: true });
      await shop.ask(`sessions/${session}/pay`);
      const subscription = await shop.subscriptionOf(user);
      const before = await shop.balanceOf(user);
      await shop.ask('deliveries/release', { customer, at_once: true });
      await shop.reconcile();
      expect({ status: subscription?.status, before, after: await shop.balanceOf(user) }).toEqual({
        status: 'active',
        before: '21',
        after: '21',
      });
    });

    it('that is late does not delay the credits of a single payment either', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 25);
      await shop.deliverBy({ session: page.sessionId, drop: true });
      await shop.ask(`sessions/${page.sessionId}/pay`);
      const { status } = await shop.transactionOf(user, page.transactionId);
      const before = await shop.balanceOf(user);
      await shop.redeliverEventsOf(page.id);
      await shop.reconcile();
      expect({ status, before, after: await shop.balanceOf(user) }).toEqual({
        status: 'completed',
        before: '25',
        after: '25',
      });
    });

    it('of a payment that the client confirms itself grants it', async () => {
      const user = await shop.signIn();
      const transaction = await shop.createTransaction(user, 50);
      await shop.stripe.paymentIntents.confirm(transaction.client_secret.split('_secret_')[0], {
        payment_method: 'pm_card_visa',
        return_url: 'https://app.example/done',
      });
      await until(async () => (await shop.transactionOf(user, transaction.id)).status === 'completed');
      expect(await shop.balanceOf(user)).toBe('50');
    });
  });
}
