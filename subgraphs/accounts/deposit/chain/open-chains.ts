import type { DepositConfig } from '../../../../kernel/accounts-config.js';
import { ConfigError } from '../../../../kernel/environment.js';
import type { DepositToken } from '../deposit.rules.js';
import type { ChainName, DepositChain } from './chain.js';
import { JsonRpc } from './json-rpc.js';

/** The chains that are set up here. */
export type DepositChains = ReadonlyMap<ChainName, DepositChain>;

/** Opens those for which key, node and, for tokens, a contract are set. @throws ConfigError for a key that is none */
export async function openChains(config: DepositConfig): Promise<DepositChains> {
  const chains = [await openEvm(config), await openSubstrate(config)].filter((chain) => chain !== undefined);
  return new Map(chains.map((chain) => [chain.name, chain]));
}

/** Loaded only where it is used: the start of everyone else is the shorter for it. */
async function openEvm({
  evmXpub,
  evmRpcUrl,
  confirmations,
  ...config
}: DepositConfig): Promise<DepositChain | undefined> {
  if (evmXpub === undefined) return undefined;
  const { readEvmKey } = await import('./evm-address.rules.js');
  const key = readEvmKey(evmXpub);
  if (!key) throw new ConfigError('DEPOSIT_EVM_XPUB must be a BIP-32 extended public key: xpub…, never xprv….');
  const contracts = new Map<DepositToken, string>();
  if (config.usdcContract !== undefined) contracts.set('USDC', config.usdcContract);
  if (config.usdtContract !== undefined) contracts.set('USDT', config.usdtContract);
  if (evmRpcUrl === undefined || contracts.size === 0) return undefined;
  const { EvmChain } = await import('./evm-chain.js');
  return new EvmChain({ rpc: new JsonRpc(evmRpcUrl), key, contracts, confirmations });
}

async function openSubstrate({ taoPublicKey, substrateRpcUrl }: DepositConfig): Promise<DepositChain | undefined> {
  if (taoPublicKey === undefined || substrateRpcUrl === undefined) return undefined;
  const { SubstrateChain } = await import('./substrate-chain.js');
  return new SubstrateChain(new JsonRpc(substrateRpcUrl), taoPublicKey);
}

/** The chain that carries this token here, if any. */
export function chainOf(chains: DepositChains, token: DepositToken): DepositChain | undefined {
  return [...chains.values()].find(({ tokens }) => tokens.includes(token));
}
