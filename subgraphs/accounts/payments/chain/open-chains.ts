import type { DepositConfig, PaymentConfig } from '../../config.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import type { DepositToken } from './token.rules.js';
import type { ChainName, DepositChain } from './chain.js';
import { JsonRpc } from './json-rpc.js';
import { isSandboxChain, SANDBOX_DEPOSITS, SANDBOX_TOKENS, type SandboxChainName } from './sandbox-chains.js';

/** The configured chains. Chains of the sandbox are opened at first use, because few platforms use them. */
export class DepositChains {
  private readonly opening = new Map<SandboxChainName, Promise<DepositChain | undefined>>();

  constructor(
    private readonly real: readonly DepositChain[],
    private readonly sandboxes: readonly SandboxChainName[],
    private readonly confirmations: number,
  ) {}

  get names(): readonly ChainName[] {
    return [...this.real.map(({ name }) => name), ...this.sandboxes];
  }

  /** The configured chain of this token, if any. */
  chainNameOf(token: DepositToken): ChainName | undefined {
    const carries = (tokens: readonly DepositToken[]) => tokens.includes(token);
    const real = this.real.find(({ tokens }) => carries(tokens));
    return real?.name ?? this.sandboxes.find((name) => carries(SANDBOX_TOKENS[name]));
  }

  /** The chain with this name; undefined if it is not configured. @param fetchFrom connects to the sandbox */
  async open(name: ChainName, fetchFrom: typeof fetch): Promise<DepositChain | undefined> {
    if (!isSandboxChain(name)) return this.real.find((chain) => chain.name === name);
    if (!this.sandboxes.includes(name)) return undefined;
    const config = { ...SANDBOX_DEPOSITS, confirmations: this.confirmations };
    const open = name === 'sandbox-evm' ? openEvm : openSubstrate;
    const opening = this.opening.get(name) ?? open(config, { name, fetchFrom });
    this.opening.set(name, opening);
    return opening;
  }
}

/**
 * Opens the chains whose key, node and (for tokens) contract are configured. With the sandbox processor, a chain
 * without any setting is a sandbox chain. @throws ConfigError for an invalid key
 */
export async function openChains(
  config: DepositConfig,
  { processor }: Pick<PaymentConfig, 'processor'>,
): Promise<DepositChains> {
  const real = [await openEvm(config), await openSubstrate(config)].filter((chain) => chain !== undefined);
  const { evmXpub, evmRpcUrl, usdcContract, usdtContract, taoPublicKey, substrateRpcUrl, confirmations } = config;
  const settings = {
    'sandbox-evm': [evmXpub, evmRpcUrl, usdcContract, usdtContract],
    'sandbox-substrate': [taoPublicKey, substrateRpcUrl],
  } as const;
  const isOurs = (name: SandboxChainName) => settings[name].every((setting) => setting === undefined);
  const sandboxes = processor === 'sandbox' ? (['sandbox-evm', 'sandbox-substrate'] as const).filter(isOurs) : [];
  return new DepositChains(real, sandboxes, confirmations);
}

/** How a sandbox chain differs from a real one. */
interface Sandbox {
  readonly name: SandboxChainName;
  readonly fetchFrom: typeof fetch;
}

/** Loaded only when used, because it makes the start slower. */
async function openEvm(
  { evmXpub, evmRpcUrl, confirmations, ...config }: DepositConfig,
  sandbox?: Sandbox,
): Promise<DepositChain | undefined> {
  if (evmXpub === undefined) return undefined;
  const { readEvmKey } = await import('./evm-address.rules.js');
  const key = readEvmKey(evmXpub);
  if (!key) throw new ConfigError('DEPOSIT_EVM_XPUB must be a BIP-32 extended public key: xpub…, never xprv….');
  const contracts = new Map<DepositToken, string>();
  if (config.usdcContract !== undefined) contracts.set('USDC', config.usdcContract);
  if (config.usdtContract !== undefined) contracts.set('USDT', config.usdtContract);
  if (evmRpcUrl === undefined || contracts.size === 0) return undefined;
  const { EvmChain } = await import('./evm-chain.js');
  const rpc = new JsonRpc(evmRpcUrl, sandbox?.fetchFrom);
  return new EvmChain({ name: sandbox?.name ?? 'evm', rpc, key, contracts, confirmations });
}

async function openSubstrate(
  { taoPublicKey, substrateRpcUrl }: DepositConfig,
  sandbox?: Sandbox,
): Promise<DepositChain | undefined> {
  if (taoPublicKey === undefined || substrateRpcUrl === undefined) return undefined;
  const { SubstrateChain } = await import('./substrate-chain.js');
  return new SubstrateChain(new JsonRpc(substrateRpcUrl, sandbox?.fetchFrom), taoPublicKey, sandbox?.name);
}
