import type { PlatformOperation } from '../../kernel/ask.js';
import type { Context } from '../../kernel/context.js';
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
