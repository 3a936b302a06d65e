import type { DepositConfig } from '../../config.js';
import type { DepositToken } from './token.rules.js';

/** Chains of the sandbox processor: it makes their blocks, keeps them in PostgreSQL and serves them by JSON-RPC. */
export type SandboxChainName = 'sandbox-evm' | 'sandbox-substrate';

/** The tokens of each sandbox chain. */
export const SANDBOX_TOKENS = {
  'sandbox-evm': ['USDC', 'USDT'],
  'sandbox-substrate': ['TAO'],
} as const satisfies Record<SandboxChainName, readonly DepositToken[]>;

/** The settings of the sandbox chains. The private keys of these public keys were deleted. */
export const SANDBOX_DEPOSITS = {
  evmXpub:
    'xpub6DTyAXag6cG9G38Z4MXvXyKcokjRHExXyvhRSQKYrkpQBctGNmqdpKoHvwSuiVBksGuocQXCLWR5ieTLjdrCBbFeZr62L66uvZsV6rnPLcQ',
  evmRpcUrl: 'http://sandbox/chains/evm',
  usdcContract: '0x5a00000000000000000000000000000000000c01',
  usdtContract: '0x5a00000000000000000000000000000000000c02',
  taoPublicKey: '0x601cf0f8c3e29f5a7b9756518c7a2720b9167490da1aa73fe65643c549201c74',
  substrateRpcUrl: 'http://sandbox/chains/substrate',
} as const satisfies Omit<DepositConfig, 'confirmations'>;

/** US dollars for one TAO in the sandbox until a price is recorded. */
export const SANDBOX_TAO_USD = '400';

/** Whether the chain is a sandbox chain. */
export function isSandboxChain(name: string): name is SandboxChainName {
  return Object.hasOwn(SANDBOX_TOKENS, name);
}
