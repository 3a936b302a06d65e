import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeDispute, makeRefund, type NewRefund } from '../objects/payment.js';
import { refuse } from '../refusal.js';
import { emit } from '../webhook/post-event.js';

type WantedRefund = Omit<NewRefund, 'amount'> & { readonly amount: number | undefined };

/** Gives back a part of a charge, or all that is left of it. @throws a refusal for more than is left */
export async function refundCharge(
  store: SandboxStore,
  made: Stripe.Charge,
  wanted: WantedRefund,
): Promise<Stripe.Refund> {
  const left = made.amount_captured - made.amount_refunded;
  if (made.status !== 'succeeded') throw refuse({ message: `Charge ${made.id} has not been paid.`, param: 'charge' });
  if (made.disputed && (await isLost(store, made))) {
    throw refuse({ message: `Charge ${made.id} has been charged back.`, code: 'charge_disputed' });
  }
  if (left === 0) {
    throw refuse({ message: `Charge ${made.id} has already been refunded.`, code: 'charge_already_refunded' });
  }
  const amount = wanted.amount ?? left;
  if (amount < 1 || amount > left) {
    const message = `Refund amount (${inDollars(amount)}) is greater than unrefunded amount on charge (${inDollars(left)})`;
    throw refuse({ message: amount < 1 ? 'Invalid positive integer' : message, param: 'amount' });
  }
  const refund = makeRefund(made, { ...wanted, amount }, await store.timeOf(idOf(made.customer)));
  await store.add(refund, { customer: idOf(made.customer) });
  const previous = { amount_refunded: made.amount_refunded, refunded: made.refunded };
  made.amount_refunded += amount;
  made.refunded = made.amount_refunded === made.amount_captured;
  await store.save(made);
  await emit(store, 'refund.created', refund);
  await emit(store, 'charge.refunded', made, previous);
  return refund;
}

/** Ends a refund that was pending, or takes back one that the bank returned. @throws a refusal when it has failed before */
export async function endRefund(store: SandboxStore, refund: Stripe.Refund, succeeds: boolean): Promise<Stripe.Refund> {
  const { status } = refund;
  if (status === 'failed' || (succeeds && status === 'succeeded')) {
    throw refuse({ message: `This refund is final: ${status}.`, param: 'id' });
  }
  refund.status = succeeds ? 'succeeded' : 'failed';
  if (!succeeds) {
    refund.failure_reason = 'declined';
    const { object: made } = await store.take('charge', idOf(refund.charge) ?? '');
    made.amount_refunded -= refund.amount;
    made.refunded = false;
    await store.save(made);
  }
  await store.save(refund);
  await emit(store, 'refund.updated', refund, { status });
  if (!succeeds) await emit(store, 'refund.failed', refund);
  return refund;
}

async function isLost(store: SandboxStore, made: Stripe.Charge): Promise<boolean> {
  return (await store.all('dispute', { charge: made.id, status: 'lost' })).length > 0;
}

/** Takes a payment back on behalf of who paid. @throws a refusal for a charge that is disputed already */
export async function openDispute(
  store: SandboxStore,
  made: Stripe.Charge,
  { amount, reason }: { readonly amount: number | undefined; readonly reason: string },
): Promise<Stripe.Dispute> {
  if (made.disputed || made.status !== 'succeeded') {
    throw refuse({ message: `Charge ${made.id} is already disputed or has not been paid.`, param: 'charge' });
  }
  const dispute = makeDispute(made, { amount: amount ?? made.amount, reason }, await store.timeOf(idOf(made.customer)));
  await store.add(dispute, { customer: idOf(made.customer) });
  made.disputed = true;
  await store.save(made);
  await emit(store, 'charge.dispute.created', dispute);
  await emit(store, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Ends a dispute. @throws a refusal when it has ended before */
export async function closeDispute(
  store: SandboxStore,
  dispute: Stripe.Dispute,
  status: 'won' | 'lost',
): Promise<Stripe.Dispute> {
  const before = dispute.status;
  if (before === 'won' || before === 'lost')
    throw refuse({ message: `This dispute is closed: ${before}.`, param: 'id' });
  dispute.status = status;
  await store.save(dispute);
  await emit(store, 'charge.dispute.closed', dispute, { status: before });
  if (status === 'won') await emit(store, 'charge.dispute.funds_reinstated', dispute);
  return dispute;
}

function inDollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
