import {
  addCustomer,
  deliver,
  eventOf,
  linkCustomer,
  openPage,
  processorId,
  seconds,
  sessionOf,
} from '../../../kit/payments/payments.js';
import { PLUS } from '../../../kit/payments/processor.js';
import type { Json } from '../../../kit/platform.js';
import { signIn } from '../../../kit/accounts/wallet.js';
import { sentOf, type AuditCases, type World } from './world.js';

const PERIOD = { periodStart: '2026-10-01T00:00:00Z', periodEnd: '2026-11-01T00:00:00Z' };

async function customer({ user: { substrateAddress } }: World): Promise<Json> {
  return { customerId: await addCustomer(), substrateAddress };
}

/** An event that waited until its customer record was linked. */
async function parkedEvent({ stranger, database }: World): Promise<Json> {
  const item = { price: { id: PLUS }, current_period_start: seconds(), current_period_end: seconds(86_400) };
  const subscription = {
    id: processorId('sub'),
    object: 'subscription',
    customer: processorId('cus'),
    status: 'active',
    cancel_at_period_end: false,
    created: seconds(),
    items: { data: [item] },
  };
  const event = eventOf('customer.subscription.created', subscription);
  await deliver(event);
  const link = `INSERT INTO accounts.customer (user_id, processor_customer_id, is_platform_created, created_at)
                VALUES ($1, $2, false, now())`;
  await database.query(link, [stranger.userId, subscription.customer]);
  return { ids: [event.id] };
}

/** A payment that differs from its transaction; its user has no page to open for it left in this minute. */
async function flaggedPayment({ user, database }: World): Promise<Json> {
  const add = `WITH added AS (
      INSERT INTO accounts.transaction (user_id, payment_type, amount, currency, credits, status, created_at, updated_at)
      VALUES ($1, 'payproc', 41, 'USD', 41, 'payment_confirmed', now(), now()) RETURNING user_id, id)
    INSERT INTO accounts.payment (user_id, transaction_id, payment_intent_id, cents, credits, flag_reason)
    SELECT user_id, id, $2, 4100, 41, '40 USD instead of 41 USD' FROM added RETURNING transaction_id AS "transactionId"`;
  return (await database.query(add, [user.userId, processorId('pi')])).rows[0];
}

/** Credits and payments. */
export const PAYMENTS: AuditCases = {
  adminGrantCredits: {
    by: 'administrator',
    args: async ({ user: { substrateAddress } }: World) => ({ substrateAddress, credits: '1', reason: 'a test' }),
    refused: { substrateAddress: '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8' },
    ids: ['substrateAddress', 'userId'],
    isShown: true,
  },
  adminGrantFlaggedPayment: {
    by: 'administrator',
    args: flaggedPayment,
    refused: { transactionId: '00000000-0000-4000-8000-000000000000' },
    ids: ['transactionId', 'transactionId userId'],
    isShown: true,
  },
  adminLinkCustomer: {
    by: 'administrator',
    args: customer,
    refused: { customerId: 'cus_unknown' },
    ids: ['customerId substrateAddress', 'userId'],
    isShown: true,
  },
  adminReconcilePayments: { by: 'administrator', ids: ['', ''] },
  adminRecordTokenPrice: {
    by: 'administrator',
    args: { priceUsd: '312.5', blockNumber: 7 },
    refused: { priceUsd: '-1' },
    ids: ['', ''],
  },
  adminRefreshTokenPrice: { by: 'administrator', ids: ['', ''] },
  adminReplayEvents: { by: 'administrator', args: parkedEvent, ids: ['ids', ''] },
  adminRunDepositWatch: { by: 'administrator', ids: ['', ''] },
  adminUnlinkCustomer: {
    by: 'administrator',
    args: async (world: World) => {
      const args = await customer(world);
      await linkCustomer(world.user, args.customerId);
      return args;
    },
    refused: { customerId: 'x' },
    ids: ['customerId substrateAddress', 'userId'],
    isShown: true,
  },
  createCheckoutSession: { args: { amount: '20' }, refused: { amount: '0' }, ids: ['', 'id'] },
  createPayment: { args: { amount: '21', paymentType: 'onetime' }, refused: { amount: '0' }, ids: ['', 'id'] },
  createSubscription: { args: { priceId: PLUS }, refused: { priceId: 'price_unknown' }, ids: ['priceId', 'id'] },
  createTransaction: {
    args: { amount: '25', currency: 'USD', paymentType: 'payproc' },
    refused: { amount: '1' },
    ids: ['', 'id'],
  },
  'createTransaction in crypto': {
    args: { amount: '25', currency: 'USDC', paymentType: 'crypto' },
    refused: { amount: '1' },
    ids: ['', 'id'],
  },
  openCustomerPortal: {
    args: async ({ user }: World) => ({ done: await linkCustomer(user, await addCustomer()) }),
    refused: 'service',
    writesNothing: 'the processor makes the link',
    ids: ['', ''],
  },
  receiveWebhook: {
    by: 'nobody',
    args: async () => ({
      event: eventOf('checkout.session.completed', sessionOf(await openPage(await signIn(), 33))),
    }),
    refused: { secret: 'whsec_another' },
    send: async (_, { event, secret }) => sentOf(await deliver(event, secret && { secret })),
    ids: ['', ''],
  },
  recordUsage: {
    by: 'service',
    args: async ({ user }: World) => ({ accountSs58: user.substrateAddress, ...PERIOD, storageBytes: '1024' }),
    ids: ['accountSs58', 'accountSs58 id userId'],
    isShown: true,
  },
};
