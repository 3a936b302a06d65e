import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  addCustomer,
  balanceOf,
  deliver,
  eventOf,
  linkCustomer,
  processorId,
  seconds,
} from '../../../kit/payments/payments.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { PLUS } from '../../../kit/payments/processor.js';
import { newWallet, serviceToken, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const ARGUMENTS = 'substrateAddress: $to, customerId: $id';
const LINK = `mutation ($to: String!, $id: String!) { adminLinkCustomer(${ARGUMENTS}) { replayed remaining } }`;
const UNLINK = `mutation ($to: String!, $id: String!) { adminUnlinkCustomer(${ARGUMENTS}) { hasChanged } }`;
const PORTAL = 'POST /api/billing/payproc/customer-portal/';

let user: SignedIn;
let customer: string;
beforeEach(async () => {
  [user, customer] = await Promise.all([signIn(), addCustomer()]);
});

const unlink = async (): Promise<boolean> =>
  (await asAdmin(UNLINK, { to: user.substrateAddress, id: customer })).adminUnlinkCustomer.hasChanged;

const portalOf = async ({ token }: SignedIn): Promise<number> => (await call(PORTAL, { token, body: {} })).status;

/** A paid invoice of a subscription of the customer. */
function invoice(subscription: string, metadata: Json = {}): Json {
  return eventOf('invoice.paid', {
    id: processorId('in'),
    object: 'invoice',
    customer,
    status: 'paid',
    billing_reason: 'subscription_cycle',
    amount_due: 2000,
    amount_paid: 2000,
    total: 2000,
    currency: 'usd',
    parent: { subscription_details: { subscription, metadata } },
    lines: { data: [{ amount: 2000, pricing: { price_details: { price: PLUS } } }] },
  });
}

function subscriptionEvent(id: string): Json {
  const period = { current_period_start: seconds(-100), current_period_end: seconds(2_600_000) };
  return eventOf('customer.subscription.created', {
    id,
    object: 'subscription',
    customer,
    status: 'active',
    created: seconds(-100),
    cancel_at_period_end: false,
    items: { data: [{ price: { id: PLUS }, ...period }] },
  });
}

describe('adminLinkCustomer', () => {
  it('links a record that the processor has, however often', async () => {
    await linkCustomer(user, customer);
    await linkCustomer(user, customer);
    expect(await portalOf(user)).toBe(200);
  });

  it('links and unlinks a record of a user by the id of the user, who may have no address', async () => {
    const variables = { id: user.userId, customer };
    const of = 'userId: $id, customerId: $customer';
    await asAdmin(`mutation ($id: Int, $customer: String!) { adminLinkCustomer(${of}) { replayed } }`, variables);
    const linked = await portalOf(user);
    await asAdmin(`mutation ($id: Int, $customer: String!) { adminUnlinkCustomer(${of}) { hasChanged } }`, variables);
    expect([linked, await portalOf(user)]).toEqual([200, 400]);
  });

  it('refuses a record that the processor does not have, and says so', async () => {
    const id = processorId('cus');
    const reply = await graphql(LINK, {
      token: await serviceToken('ADMIN'),
      variables: { to: user.substrateAddress, id },
    });
    expect({ code: codeOf(reply), message: reply.errors[0].message, portal: await portalOf(user) }).toEqual({
      code: 'NOT_FOUND',
      message: `The payment processor has no customer record ${id}.`,
      portal: 400,
    });
  });

  it('does not link a record of another user', async () => {
    await linkCustomer(await signIn(), customer);
    const variables = { to: user.substrateAddress, id: customer };
    expect(codeOf(await graphql(LINK, { token: await serviceToken('ADMIN'), variables }))).toBe('CONFLICT');
  });
});

describe('adminUnlinkCustomer', () => {
  it('takes the record from the user, once', async () => {
    await linkCustomer(user, customer);
    const changes = [await unlink(), await unlink()];
    expect({ changes, portal: await portalOf(user) }).toEqual({ changes: [true, false], portal: 400 });
  });

  it('takes nothing from another user', async () => {
    const owner = await signIn();
    await linkCustomer(owner, customer);
    expect({ hasChanged: await unlink(), portal: await portalOf(owner) }).toEqual({ hasChanged: false, portal: 200 });
  });

  it('lets what comes later wait, also what names a page of the user', async () => {
    await call('GET /api/billing/payproc/subscription-plans/', { token: user.token });
    const open = 'mutation ($price: String!) { createSubscription(priceId: $price) { id sessionId } }';
    const { data } = await graphql(open, { token: user.token, variables: { price: PLUS } });
    const { id, sessionId } = data.createSubscription;
    const subscription = processorId('sub');
    const ofPage = () => invoice(subscription, { checkout_id: id });
    await deliver(ofPage());
    const linked = await balanceOf(user);
    await unlink();
    await deliver(ofPage());
    const session = { id: sessionId, object: 'checkout.session', status: 'complete', payment_status: 'paid', customer };
    await deliver(eventOf('checkout.session.completed', { ...session, metadata: { checkout_id: id } }));
    const waiting = await balanceOf(user);
    await linkCustomer(user, customer);
    expect([linked, waiting, await balanceOf(user)]).toEqual(['21', '21', '42']);
  });

  it('lets what comes later wait until the record is linked again, its subscriptions with it', async () => {
    const right = await signIn();
    await call('GET /api/billing/payproc/subscription-plans/', { token: user.token });
    await linkCustomer(user, customer);
    const subscription = processorId('sub');
    await deliver(subscriptionEvent(subscription));
    await deliver(invoice(subscription));
    await unlink();
    await deliver(invoice(subscription));
    const waiting = [await balanceOf(user), await balanceOf(right)];
    await linkCustomer(right, customer);
    const { body } = await call('GET /api/billing/payproc/active-subscription/', { token: right.token });
    expect({
      waiting,
      after: [await balanceOf(user), await balanceOf(right)],
      subscription: body.subscription.id,
    }).toEqual({ waiting: ['21', '0'], after: ['21', '21'], subscription });
  });
});

describe.each([
  ['adminLinkCustomer', LINK],
  ['adminUnlinkCustomer', UNLINK],
])('%s', (_, mutation) => {
  const ask = async (to: string, id: string, token: string) =>
    codeOf(await graphql(mutation, { token, variables: { to, id } }));

  it.each(['', 'cus_', 'sub_1', 'cus_a b', 'cus_%00', '../cus_1'])('refuses what is no id: %j', async (id) => {
    expect(await ask(user.substrateAddress, id, await serviceToken('ADMIN'))).toBe('BAD_REQUEST');
  });

  it('knows no user at an address without an account', async () => {
    expect(await ask(newWallet().substrateAddress, customer, await serviceToken('ADMIN'))).toBe('NOT_FOUND');
  });

  it('is for administrators, whatever was sent', async () => {
    const asked = [
      await ask(user.substrateAddress, '', user.token),
      await ask('', '', await serviceToken('MARKETING')),
    ];
    expect(asked).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });
});
