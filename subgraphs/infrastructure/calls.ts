import type { PlatformOperation } from '../../kernel/subgraph/call-subgraph.js';
import type { Context } from '../../kernel/subgraph/context.js';
import type { UserViewer } from '../../kernel/security/viewer.js';

/** The exact credits of a user in accounts. */
const CREDIT_BALANCE_OF_USER: PlatformOperation<{ readonly userId: number }, string> = {
  subgraph: 'accounts',
  document: 'query CreditBalanceOfUser($userId: Int!) { creditBalanceOfUser(userId: $userId) { balance } }',
  read: ({ creditBalanceOfUser: answer }) => {
    if (typeof answer !== 'object' || answer === null || !('balance' in answer)) return undefined;
    return typeof answer.balance === 'string' ? answer.balance : undefined;
  },
};

/** Balances by request context, so that they are not cached longer than the request. */
const balances = new WeakMap<Context, Promise<string>>();

/** The viewer's exact balance, fetched at most once per request. @throws UNAVAILABLE */
export function fetchBalance(context: Context, { userId }: UserViewer): Promise<string> {
  const known = balances.get(context);
  if (known) return known;
  const balance = context.callSubgraph(CREDIT_BALANCE_OF_USER, { userId }, context.requestId);
  balances.set(context, balance);
  return balance;
}

const USER_ID_OF_ADDRESS: PlatformOperation<{ readonly substrateAddress: string }, number> = {
  subgraph: 'accounts',
  document:
    'query UserIdOfAddress($substrateAddress: String!) { userIdOfAddress(substrateAddress: $substrateAddress) }',
  read: ({ userIdOfAddress: answer }) => (typeof answer === 'number' ? answer : undefined),
};

/** Id of the user with this SS58 address. @throws NOT_FOUND, UNAVAILABLE */
export function fetchUserId(context: Context, substrateAddress: string): Promise<number> {
  return context.callSubgraph(USER_ID_OF_ADDRESS, { substrateAddress }, context.requestId);
}

/** A hold for a machine, as accounts returns it. */
interface Hold {
  readonly state: 'open' | 'settled' | 'released' | 'expired';
}

interface HoldKey extends Record<string, unknown> {
  readonly reference: string;
}

function readHold(answer: unknown): Hold | undefined {
  if (typeof answer !== 'object' || answer === null || !('state' in answer)) return undefined;
  const { state } = answer;
  return state === 'open' || state === 'settled' || state === 'released' || state === 'expired' ? { state } : undefined;
}

/** Places a hold. The same reference returns the same hold, in whatever state. Errors: PAYMENT_REQUIRED, CONFLICT for a different amount. */
export const PLACE_HOLD: PlatformOperation<
  HoldKey & { userId: number; credits: string; reason: string; expiresAt: string },
  Hold
> = {
  subgraph: 'accounts',
  document: `mutation PlaceVmHold($userId: Int!, $reference: String!, $credits: Decimal!, $reason: String!, $expiresAt: DateTimeISO!) {
    placeHold(userId: $userId, source: "vm", reference: $reference, credits: $credits, reason: $reason, expiresAt: $expiresAt) { state }
  }`,
  read: (data) => readHold(data.placeHold),
};

/** Spends part of a hold, once per settlement id. Error CONFLICT when the hold is closed or too small. */
export const SETTLE_HOLD: PlatformOperation<
  HoldKey & { settlement: string; credits: string; reason: string; isLast: boolean },
  Hold
> = {
  subgraph: 'accounts',
  document: `mutation SettleVmHold($reference: String!, $settlement: String!, $credits: Decimal!, $reason: String!, $isLast: Boolean!) {
    settleHold(source: "vm", reference: $reference, settlement: $settlement, credits: $credits, reason: $reason, isLast: $isLast) { state }
  }`,
  read: (data) => readHold(data.settleHold),
};

/** Releases the rest of a hold. Error NOT_FOUND when it was never placed. */
export const RELEASE_HOLD: PlatformOperation<HoldKey, Hold> = {
  subgraph: 'accounts',
  document: `mutation ReleaseVmHold($reference: String!) { releaseHold(source: "vm", reference: $reference) { state } }`,
  read: (data) => readHold(data.releaseHold),
};

/** Exact decimals of a user's account. */
interface Credits {
  readonly balance: string;
  readonly held: string;
}

/** Balance of a user and the part of it that is held. */
export const CREDITS_OF_USER: PlatformOperation<{ readonly userId: number }, Credits> = {
  subgraph: 'accounts',
  document: 'query CreditsOfVmOwner($userId: Int!) { creditBalanceOfUser(userId: $userId) { balance held } }',
  read: ({ creditBalanceOfUser: answer }) => {
    if (typeof answer !== 'object' || answer === null || !('balance' in answer) || !('held' in answer))
      return undefined;
    const { balance, held } = answer;
    return typeof balance === 'string' && typeof held === 'string' ? { balance, held } : undefined;
  },
};

/** Notifies a user, once per key. */
export const NOTIFY_USER: PlatformOperation<
  {
    userId: number;
    kind: 'low_credit' | 'zero_balance' | 'account' | 'machine';
    key: string;
    title: string;
    text: string;
    link: string;
    /** Null: that of the kind. */
    severity: 'critical' | null;
  },
  boolean
> = {
  subgraph: 'accounts',
  document: `mutation TellVmOwner($userId: Int!, $kind: NotificationKind!, $key: String!, $title: String!, $text: String!, $link: String, $severity: NotificationSeverity) {
    tellUser(userId: $userId, kind: $kind, key: $key, title: $title, text: $text, link: $link, severity: $severity)
  }`,
  read: ({ tellUser }) => (typeof tellUser === 'boolean' ? tellUser : undefined),
};

/** Whether a user has a private network. */
export const HAS_NETWORK: PlatformOperation<{ readonly userId: number }, boolean> = {
  subgraph: 'network',
  document: 'query HasPrivateNetwork($userId: Int!) { hasPrivateNetwork(userId: $userId) }',
  read: ({ hasPrivateNetwork }) => (typeof hasPrivateNetwork === 'boolean' ? hasPrivateNetwork : undefined),
};

interface VmKey extends Record<string, unknown> {
  readonly userId: number;
  readonly uuid: string;
}

/** Enrolls a machine in its owner's network, once. Returns the join command, empty when its peer was deleted. Error CONFLICT when no address is left. */
export const ENROLL_VM: PlatformOperation<VmKey & { readonly label: string }, string> = {
  subgraph: 'network',
  document:
    'mutation EnrollVm($userId: Int!, $uuid: ID!, $label: String!) { enrollVm(userId: $userId, uuid: $uuid, label: $label) { joinCommand } }',
  read: ({ enrollVm: answer }) => {
    if (typeof answer !== 'object' || answer === null || !('joinCommand' in answer)) return undefined;
    const command = answer.joinCommand ?? '';
    return typeof command === 'string' ? command : undefined;
  },
};

interface VmAddress {
  readonly userId: number;
  readonly uuid: string;
  readonly ip: string;
}

function isVmAddress(value: unknown): value is VmAddress {
  if (typeof value !== 'object' || value === null || !('userId' in value && 'uuid' in value && 'ip' in value))
    return false;
  return typeof value.userId === 'number' && typeof value.uuid === 'string' && typeof value.ip === 'string';
}

/** The overlay addresses of those of these machines that have joined their owner's network, or were attached and have joined. */
export const VM_ADDRESSES: PlatformOperation<
  { readonly userIds: readonly number[]; readonly uuids: readonly string[] },
  VmAddress[]
> = {
  subgraph: 'network',
  document:
    'query VmAddresses($userIds: [Int!]!, $uuids: [ID!]!) { vmAddresses(userIds: $userIds, uuids: $uuids) { userId uuid ip } }',
  read: ({ vmAddresses }) => (Array.isArray(vmAddresses) ? vmAddresses.filter(isVmAddress) : undefined),
};

/** Removes the peer of a terminated machine. Safe to repeat. */
export const DROP_VM_PEER: PlatformOperation<VmKey, boolean> = {
  subgraph: 'network',
  document: 'mutation DropVmPeer($userId: Int!, $uuid: ID!) { dropVmPeer(userId: $userId, uuid: $uuid) }',
  read: ({ dropVmPeer }) => (typeof dropVmPeer === 'boolean' ? dropVmPeer : undefined),
};
