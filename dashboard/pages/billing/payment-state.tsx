import { Status, type Tone } from '../../components/badge';
import type { graphql } from '../../graphql/graphql';

type State = ReturnType<typeof graphql.scalar<'TransactionStatus'>>;

const TONES: Readonly<Record<State, Tone>> = {
  pending: 'info',
  payment_confirmed: 'info',
  completed: 'good',
  failed: 'bad',
  expired: 'hollow',
  refunded: 'warn',
  disputed: 'warn',
};

/** The state of a payment with its colour. */
export function PaymentStatus({ state }: { readonly state: State }) {
  return <Status tone={TONES[state]}>{state.replaceAll('_', ' ')}</Status>;
}

/** An amount with its currency. */
export function money(amount: number, currency: string): string {
  return `${digits(amount)} ${currency.toUpperCase()}`;
}

function digits(amount: number): string {
  return amount.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 9 });
}

interface Granted {
  readonly credits: number;
  readonly creditsGranted: string | null;
  readonly completedAt: string | null;
}

/** The credits that a payment granted, exact where that is known; undefined before. */
export function grantedCredits({ credits, creditsGranted, completedAt }: Granted): string | undefined {
  return creditsGranted ?? (completedAt === null ? undefined : `${credits}`);
}

interface Paid {
  readonly amount: number;
  readonly currency: string;
  readonly received: string | null;
}

/** What was received less (negative) or more than requested, in the currency; 0 while nothing was received, and for cards. */
export function difference({ amount, received }: Pick<Paid, 'amount' | 'received'>): number {
  return received === null || Number(received) === 0 ? 0 : Number(received) - amount;
}

/** The amount of a payment; of one that differs from the request, what was received of it. */
export function paidWords(payment: Paid): string {
  const { amount, currency, received } = payment;
  if (difference(payment) === 0) return money(amount, currency);
  return `${digits(Number(received))} of ${money(amount, currency)}`;
}

const TYPES: Readonly<Record<string, string>> = { payproc: 'Card', crypto: 'Crypto' };

/** How a payment is made, in words. */
export function paymentWords(type: string): string {
  return TYPES[type] ?? type;
}
