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
  return `${amount.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 9 })} ${currency.toUpperCase()}`;
}

const TYPES: Readonly<Record<string, string>> = { payproc: 'Card', crypto: 'Crypto' };

/** How a payment is made, in words. */
export function paymentWords(type: string): string {
  return TYPES[type] ?? type;
}
