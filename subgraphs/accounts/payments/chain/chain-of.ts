import { unaudited } from '../../../../kernel/audit/audited.js';
import type { AccountsRuntime } from '../../services.js';
import type { DepositToken } from './token.rules.js';
import type { ChainName, DepositChain } from './chain.js';

/** The chain with this name; undefined if it is not configured. */
export function chainNamed(runtime: AccountsRuntime, name: ChainName): Promise<DepositChain | undefined> {
  const { deposits, sandbox } = runtime.services;
  // The first request opens the chain for all: what the sandbox writes later is not a change of its user.
  return deposits.open(name, sandbox.fetch({ ...runtime, database: unaudited(runtime.database) }));
}

/** The configured chain of this token, if any. */
export async function chainOf(runtime: AccountsRuntime, token: DepositToken): Promise<DepositChain | undefined> {
  const name = runtime.services.deposits.chainNameOf(token);
  return name && chainNamed(runtime, name);
}
