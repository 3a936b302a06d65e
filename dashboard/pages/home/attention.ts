import type { KINDS } from '../../generated/notification-kinds';

interface Notice {
  readonly kind: keyof typeof KINDS;
  readonly title: string;
  readonly link: string | null;
}

/** Titles of payments that are not as they should be. */
const PAYMENTS: ReadonlySet<string> = new Set([
  'Payment failed',
  'Payment refunded or disputed',
  'A payment needs a decision',
]);

/** What of each kind needs the user; the bell has the rest. */
const NEEDS: Partial<Record<Notice['kind'], (notice: Notice, failed: ReadonlySet<string>) => boolean>> = {
  low_credit: () => true,
  zero_balance: () => true,
  subscription_ending: () => true,
  account: () => true,
  payment: ({ title }) => PAYMENTS.has(title),
  machine: ({ link }, failed) => failed.has(link ?? ''),
  peer: ({ title }) => title.includes('certificate'),
};

/** Whether the user has to do something about a notification. @param failed paths of the machines that have failed and are still there */
export function needsAttention(notice: Notice, failed: ReadonlySet<string>): boolean {
  return NEEDS[notice.kind]?.(notice, failed) ?? false;
}
