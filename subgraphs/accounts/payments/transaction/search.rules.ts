import { DEPOSIT_TOKENS } from '../chain/token.rules.js';
import { TRANSACTION_STATUSES } from './transaction.rules.js';

/** A text to search for, and where it can be: writing ids and amounts as text takes most of the time of a search. */
export interface TransactionSearch {
  /** In lower case; empty for all transactions. */
  readonly search: string;
  /** In the columns with few values: payment type, currency and status. */
  readonly mayBeWord: boolean;
  readonly mayBeId: boolean;
  readonly mayBeAmount: boolean;
  /** In several columns, which are joined by spaces. */
  readonly mayCross: boolean;
}

/** Says where a text can be. @param label name of the payment processor, a second payment type of cards */
export function transactionSearch(text: string | null | undefined, label: string): TransactionSearch {
  const search = (text ?? '').toLowerCase();
  const words = ['crypto', 'payproc', label, 'USD', ...DEPOSIT_TOKENS, ...TRANSACTION_STATUSES];
  return {
    search,
    mayBeWord: words.some((word) => word.toLowerCase().includes(search)),
    mayBeId: /^[\da-f-]*$/.test(search),
    mayBeAmount: /^[\d.]*$/.test(search),
    mayCross: search.includes(' '),
  };
}
