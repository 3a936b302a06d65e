import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeDispute, makeRefund, type NewRefund } from '../objects/payment.js';
import { refuse } from '../refusal.js';
import { emit } from '../webhook/post-event.js';

type RefundInput = Omit<NewRefund, 'amount'> & { readonly amount: number | undefined };

/** Refunds a part of a charge, or all that is left of it. @throws Refusal if less is left */
export async function refundCharge(
  store: SandboxStore,
  charge: Stripe.Charge,
  input: RefundInput,
): Promise<Stripe.Refund> {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.status !== 'succeeded')
    throw refuse({ message: `Charge ${charge.id} has not been paid.`, param: 'charge' });
  if (charge.disputed && (await isLost(store, charge))) {
    throw refuse({ message: `Charge ${charge.id} has been charged back.`, code: 'charge_disputed' });
  }
  if (left === 0) {
    throw refuse({ message: `Charge ${charge.id} has already been refunded.`, code: 'charge_already_refunded' });
  }
  const amount = input.amount ?? left;
  if (amount < 1 || amount > left) {
    const message = `Refund amount (${inDollars(amount)}) is greater than unrefunded amount on charge (${inDollars(left)})`;
    throw refuse({ message: amount < 1 ? 'Invalid positive integer' : message, param: 'amount' });
  }
  const refund = makeRefund(charge, { ...input, amount }, await store.timeOf(idOf(charge.customer)));
  await store.add(refund, { customer: idOf(charge.customer) });
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  await store.save(charge);
  await emit(store, 'refund.created', refund);
  await emit(store, 'charge.refunded', charge, previous);
  return refund;
}

/** Settles a pending refund, or fails one that the bank returned. @throws Refusal if it has already failed */
export async function endRefund(store: SandboxStore, refund: Stripe.Refund, succeeds: boolean): Promise<Stripe.Refund> {
  const { status } = refund;
  if (status === 'failed' || (succeeds && status === 'succeeded')) {
    throw refuse({ message: `This refund is final: ${status}.`, param: 'id' });
  }
  refund.status = succeeds ? 'succeeded' : 'failed';
  if (!succeeds) {
    refund.failure_reason = 'declined';
    const { object: charge } = await store.get('charge', idOf(refund.charge) ?? '');
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    await store.save(charge);
  }
  await store.save(refund);
  await emit(store, 'refund.updated', refund, { status });
  if (!succeeds) await emit(store, 'refund.failed', refund);
  return refund;
}

async function isLost(store: SandboxStore, charge: Stripe.Charge): Promise<boolean> {
  return (await store.all('dispute', { charge: charge.id, status: 'lost' })).length > 0;
}

/** Opens a dispute of a charge. @throws Refusal if it is already disputed */
export async function openDispute(
  store: SandboxStore,
  charge: Stripe.Charge,
  { amount, reason }: { readonly amount: number | undefined; readonly reason: string },
): Promise<Stripe.Dispute> {
  if (charge.disputed || charge.status !== 'succeeded') {
    throw refuse({ message: `Charge ${charge.id} is already disputed or has not been paid.`, param: 'charge' });
  }
  const dispute = makeDispute(
    charge,
    { amount: amount ?? charge.amount, reason },
    await store.timeOf(idOf(charge.customer)),
  );
  await store.add(dispute, { customer: idOf(charge.customer) });
  charge.disputed = true;
  await store.save(charge);
  await emit(store, 'charge.dispute.created', dispute);
  await emit(store, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Closes a dispute. @throws Refusal if it is already closed */
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
