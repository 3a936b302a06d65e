import type { PlatformOperation } from '../../kernel/subgraph/call-subgraph.js';
import type { Context } from '../../kernel/subgraph/context.js';
import type { UserViewer } from '../../kernel/viewer.js';

/** The exact credits of a user, as accounts keeps them. */
const CREDIT_BALANCE_OF_USER: PlatformOperation<{ readonly userId: number }, string> = {
  subgraph: 'accounts',
  document: 'query CreditBalanceOfUser($userId: Int!) { creditBalanceOfUser(userId: $userId) { balance } }',
  read: ({ creditBalanceOfUser: answer }) => {
    if (typeof answer !== 'object' || answer === null || !('balance' in answer)) return undefined;
    return typeof answer.balance === 'string' ? answer.balance : undefined;
  },
};

/** Answers by the request they belong to: they are forgotten with its context, so none outlives a request. */
const balances = new WeakMap<Context, Promise<string>>();

/** The viewer's exact credits, asked once per request however many fields need them. @throws UNAVAILABLE */
export function askBalance(context: Context, { userId }: UserViewer): Promise<string> {
  const known = balances.get(context);
  if (known) return known;
  const balance = context.ask(CREDIT_BALANCE_OF_USER, { userId }, context.requestId);
  balances.set(context, balance);
  return balance;
}

const USER_ID_OF_ADDRESS: PlatformOperation<{ readonly substrateAddress: string }, number> = {
  subgraph: 'accounts',
  document:
    'query UserIdOfAddress($substrateAddress: String!) { userIdOfAddress(substrateAddress: $substrateAddress) }',
  read: ({ userIdOfAddress: answer }) => (typeof answer === 'number' ? answer : undefined),
};

/** The user of an SS58 address. @throws NOT_FOUND, UNAVAILABLE */
export function askUserId(context: Context, substrateAddress: string): Promise<number> {
  return context.ask(USER_ID_OF_ADDRESS, { substrateAddress }, context.requestId);
}

/** What is set aside for a machine, as accounts answers it. */
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

/** Sets credits aside; the same reference again is the same hold, whatever became of it. PAYMENT_REQUIRED, CONFLICT for other credits. */
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

/** Spends a part of a hold, once for a settlement. CONFLICT when the hold is over or holds less. */
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

/** Gives back what remains of a hold. NOT_FOUND where it was never placed. */
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

/** What a user has and what of it is set aside. */
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

/** Tells a user something, once for a key. */
export const TELL_USER: PlatformOperation<
  {
    userId: number;
    kind: 'low_credit' | 'zero_balance' | 'account';
    key: string;
    title: string;
    text: string;
    link: string;
  },
  boolean
> = {
  subgraph: 'accounts',
  document: `mutation TellVmOwner($userId: Int!, $kind: NotificationKind!, $key: String!, $title: String!, $text: String!, $link: String) {
    tellUser(userId: $userId, kind: $kind, key: $key, title: $title, text: $text, link: $link)
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

/** Has a machine wait to join its owner's network, once. @returns the line by which it does, empty once its peer was deleted. CONFLICT when no address is left */
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

/** The overlay address of a machine that has joined; empty until then. */
export const OVERLAY_IP: PlatformOperation<VmKey, string> = {
  subgraph: 'network',
  document: 'query VmPeer($userId: Int!, $uuid: ID!) { vmPeer(userId: $userId, uuid: $uuid) { ip hasJoined } }',
  read: ({ vmPeer: answer }) => {
    if (answer === null) return '';
    if (typeof answer !== 'object' || !('ip' in answer) || !('hasJoined' in answer)) return undefined;
    return typeof answer.ip === 'string' && answer.hasJoined === true ? answer.ip : '';
  },
};

/** Takes a machine that is gone out of the network; again is the same. */
export const DROP_VM_PEER: PlatformOperation<VmKey, boolean> = {
  subgraph: 'network',
  document: 'mutation DropVmPeer($userId: Int!, $uuid: ID!) { dropVmPeer(userId: $userId, uuid: $uuid) }',
  read: ({ dropVmPeer }) => (typeof dropVmPeer === 'boolean' ? dropVmPeer : undefined),
};
