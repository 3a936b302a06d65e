import { badRequest } from '../../../../kernel/errors.js';
import { DEPOSIT_TOKENS, isDepositToken, type DepositToken } from '../chain/token.rules.js';

/** Rate limit of payments that a user may open. */
export const PAYMENT_RATE = { scope: 'payment', max: 5, windowSeconds: 60 };

/** Rate limit of requests to the processor that open no payment: repeated requests and the customer portal. */
export const REPEAT_RATE = { scope: 'payment-repeat', max: 30, windowSeconds: 60 };

export const TRANSACTION_STATUSES = [
  'pending',
  'payment_confirmed',
  'completed',
  'failed',
  'expired',
  'refunded',
  'disputed',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/**
 * Allowed transitions. A late payment, such as a retried renewal, moves `failed` and
 * `expired` to `completed`. A failure that is reported late does not undo an arrived
 * payment. A failed refund and a won dispute restore `completed`, or `payment_confirmed` if no credits were granted.
 */
const TRANSITIONS: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['payment_confirmed', 'completed', 'failed', 'expired'],
  payment_confirmed: ['completed', 'refunded', 'disputed'],
  completed: ['refunded', 'disputed'],
  failed: ['payment_confirmed', 'completed'],
  expired: ['payment_confirmed', 'completed'],
  refunded: ['completed', 'disputed'],
  disputed: ['completed', 'refunded'],
};

/** Whether a transaction may go from one state to another. */
export function isTransitionAllowed(from: TransactionStatus, to: TransactionStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** States from which a transaction may change to this one. */
export function sourceStatuses(to: TransactionStatus): TransactionStatus[] {
  return TRANSACTION_STATUSES.filter((from) => isTransitionAllowed(from, to));
}

/** Input of a new transaction. */
export type TransactionInput =
  | { readonly by: 'payproc'; readonly amount: string }
  | { readonly by: 'crypto'; readonly amount: string; readonly currency: DepositToken };

/**
 * Checks a request for a transaction. @param cardPaymentTypes accepted values of `payment_type` for card payments
 * @throws BAD_REQUEST naming the field
 */
export function readTransactionInput(
  request: { readonly paymentType: string; readonly amount: string; readonly currency: string },
  cardPaymentTypes: readonly string[],
): TransactionInput {
  const { paymentType, amount, currency } = request;
  if (cardPaymentTypes.includes(paymentType)) {
    if (currency !== 'USD') throw badRequest('`currency` must be USD for payments by card.');
    return { by: 'payproc', amount };
  }
  if (paymentType !== 'crypto')
    throw badRequest(`\`payment_type\` must be one of ${cardPaymentTypes.join(', ')}, crypto.`);
  if (!isDepositToken(currency))
    throw badRequest(`\`currency\` must be one of ${DEPOSIT_TOKENS.join(', ')} for payments in crypto.`);
  return { by: 'crypto', amount, currency };
}

/** Sort columns of a list: all fields of its records. */
const COLUMNS = [
  'id',
  'payment_type',
  'amount',
  'currency',
  'credits',
  'status',
  'created_at',
  'completed_at',
  'substrate_block_number',
  'substrate_success',
  'payment_address',
];
/** Sort columns that can be null. */
export const NULLABLE_COLUMNS: ReadonlySet<string> = new Set([
  'completed_at',
  'substrate_block_number',
  'substrate_success',
  'payment_address',
]);
export const TRANSACTION_ORDERS = COLUMNS.flatMap((column) => [column, `-${column}`]);

/** The default order. */
export const NEWEST_FIRST = '-created_at';

/** The requested order; newest first for unknown fields. */
export function transactionOrder(ordering: string | null | undefined): string {
  return TRANSACTION_ORDERS.find((order) => order === ordering) ?? NEWEST_FIRST;
}
