import { beforeAll, describe, expect, it } from '@jest/globals';
import { Shopper, type Shop } from './processor.js';

/** Test cases of repeated requests for a payment page. */
export function describeRepeats(shopOf: () => Shop): void {
  let shop: Shopper;
  beforeAll(() => {
    shop = new Shopper(shopOf());
  });

  describe('the same request again', () => {
    it('gets the same page while it is open', async () => {
      const user = await shop.signIn();
      const pages = [await shop.openPage(user, 25), await shop.openPage(user, 25)];
      expect(new Set(pages.map(({ sessionId }) => sessionId)).size).toBe(1);
    });

    it('after the page was paid and before the webhook gets a new page, and the credits are granted once', async () => {
      const user = await shop.signIn();
      const paid = await shop.openPage(user, 25);
      await shop.openPage(user, 25);
      await shop.deliverBy({ session: paid.sessionId, drop: true });
      await shop.ask(`sessions/${paid.sessionId}/pay`);
      const again = await Promise.all(Array.from({ length: 5 }, () => shop.openPage(user, 25)));
      const before = await shop.balanceOf(user);
      await shop.redeliverEventsOf(paid.id);
      await shop.reconcile();
      const [next] = again;
      const { status } = await shop.stripe.checkout.sessions.retrieve(next?.sessionId ?? '');
      expect({ pages: new Set(again.map(({ sessionId }) => sessionId)).size, status, before }).toEqual({
        pages: 1,
        status: 'open',
        before: '25',
      });
      expect(next?.sessionId).not.toBe(paid.sessionId);
      expect(await shop.balanceOf(user)).toBe('25');
    });

    it('after the page expired and before the webhook gets a new page', async () => {
      const user = await shop.signIn();
      const expired = await shop.openPage(user, 25);
      await shop.deliverBy({ session: expired.sessionId, drop: true });
      await shop.ask(`sessions/${expired.sessionId}/expire`);
      const next = await shop.openPage(user, 25);
      expect(next.sessionId).not.toBe(expired.sessionId);
      expect(await shop.transactionOf(user, expired.transactionId)).toMatchObject({ status: 'expired' });
    });

    it('while the bank has not yet paid by a delayed method gets a new page and no credits', async () => {
      const user = await shop.signIn();
      const page = await shop.openPage(user, 25);
      await shop.deliverBy({ session: page.sessionId, drop: true });
      await shop.ask(`sessions/${page.sessionId}/pay`, { outcome: 'is pending' });
      const next = await shop.openPage(user, 25);
      expect({ isNew: next.sessionId !== page.sessionId, balance: await shop.balanceOf(user) }).toEqual({
        isNew: true,
        balance: '0',
      });
    });

    it('to subscribe gets a new page once the first is paid, and the credits are granted once', async () => {
      const user = await shop.signIn();
      const { customer, session } = await shop.openSubscription(user);
      await shop.deliverBy({ customer, hold: true });
      await shop.ask(`sessions/${session}/pay`);
      const next = await shop.openSubscription(user);
      const before = await shop.balanceOf(user);
      await shop.ask('deliveries/release', { customer, at_once: true });
      await shop.reconcile();
      expect({ isNew: next.session !== session, before, after: await shop.balanceOf(user) }).toEqual({
        isNew: true,
        before: '21',
        after: '21',
      });
    });
  });
}
