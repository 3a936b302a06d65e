import type { PlatformOperation } from '../../kernel/subgraph/call-subgraph.js';

interface Balance {
  /** Exact decimals. */
  readonly balance: string;
  readonly held: string;
}

/** The exact credit balance of a user, from accounts. */
export const CREDIT_BALANCE_OF_USER: PlatformOperation<{ readonly userId: number }, Balance> = {
  subgraph: 'accounts',
  document: 'query CreditBalanceOfUser($userId: Int!) { creditBalanceOfUser(userId: $userId) { balance held } }',
  read: ({ creditBalanceOfUser: answer }) => {
    if (typeof answer !== 'object' || answer === null || !('balance' in answer) || !('held' in answer))
      return undefined;
    const { balance, held } = answer;
    return typeof balance === 'string' && typeof held === 'string' ? { balance, held } : undefined;
  },
};

interface AdministratorNotice extends Record<string, unknown> {
  /** Repeating it notifies nobody again. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
}

/** Notifies every administrator, once per key. */
export const TELL_ADMINISTRATORS: PlatformOperation<AdministratorNotice, number> = {
  subgraph: 'accounts',
  document: `mutation TellAdministrators($key: String!, $title: String!, $text: String!) {
    tellAdministrators(key: $key, title: $title, text: $text)
  }`,
  read: ({ tellAdministrators }) => (typeof tellAdministrators === 'number' ? tellAdministrators : undefined),
};

interface StorageOfDay extends Record<string, unknown> {
  readonly address: string;
  readonly start: string;
  readonly end: string;
  readonly bytes: string;
  /** Exact decimal above zero; null: nothing is charged. */
  readonly credits: string | null;
  readonly reference: string;
}

/** Records and charges the storage of an account for a day, once per reference. */
export const RECORD_STORAGE_USAGE: PlatformOperation<StorageOfDay, true> = {
  subgraph: 'accounts',
  document: `mutation RecordStorageUsage($address: String!, $start: DateTimeISO!, $end: DateTimeISO!, $bytes: Int64!, $credits: Decimal, $reference: String!) {
    recordStorageUsage(accountSs58: $address, periodStart: $start, periodEnd: $end, storageBytes: $bytes, credits: $credits, reference: $reference) { id }
  }`,
  read: ({ recordStorageUsage: answer }) => (answer ? true : undefined),
};
