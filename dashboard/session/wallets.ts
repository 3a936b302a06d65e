import type { Signer } from '../../sdk/src/wallet';

/** An Ethereum provider. Source: EIP-1193 */
interface EthereumProvider {
  request(args: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** An Ethereum wallet of this browser. Source: EIP-6963 */
export interface EthereumWallet {
  readonly id: string;
  readonly name: string;
  readonly icon: string | undefined;
  readonly provider: EthereumProvider;
}

/** An account of a Substrate wallet. */
export interface SubstrateAccount {
  readonly address: string;
  readonly name: string;
  readonly wallet: string;
}

/** The accounts that sign together. */
export interface WalletPair {
  readonly ethereum: EthereumWallet;
  readonly substrate: SubstrateAccount;
}

/** What a Substrate wallet puts into `window.injectedWeb3`. */
interface InjectedExtension {
  enable(origin: string): Promise<InjectedAccess>;
}

interface InjectedAccess {
  readonly accounts: { get(): Promise<readonly { readonly address: string; readonly name?: string }[]> };
  readonly signer: {
    signRaw?(request: {
      readonly address: string;
      readonly data: string;
      readonly type: 'bytes';
    }): Promise<{ readonly signature: string }>;
  };
}

interface ProviderDetail {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string };
  readonly provider: EthereumProvider;
}

declare global {
  interface Window {
    readonly ethereum?: EthereumProvider;
    readonly injectedWeb3?: Readonly<Record<string, InjectedExtension>>;
  }
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<ProviderDetail>;
  }
}

const ORIGIN_NAME = 'Archipelago';

/** Calls `found` with all Ethereum wallets known so far, each time one announces itself. Returns the function that stops it. */
export function watchEthereumWallets(found: (wallets: readonly EthereumWallet[]) => void): () => void {
  const wallets = new Map<string, EthereumWallet>();
  const add = ({ detail: { info, provider } }: CustomEvent<ProviderDetail>) => {
    wallets.set(info.uuid, { id: info.uuid, name: info.name, icon: info.icon, provider });
    found([...wallets.values()]);
  };
  window.addEventListener('eip6963:announceProvider', add);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  if (wallets.size === 0 && window.ethereum)
    found([{ id: 'injected', name: 'Browser wallet', icon: undefined, provider: window.ethereum }]);
  return () => window.removeEventListener('eip6963:announceProvider', add);
}

/** The signer of an Ethereum wallet's first account and a Substrate account. @throws when the user declines */
export async function signerOf({ ethereum: { provider }, substrate }: WalletPair): Promise<Signer> {
  const [address] = (await inWallet(provider, 'eth_requestAccounts')) as readonly string[];
  if (address === undefined) throw new Error('The wallet has no account.');
  return {
    address,
    substrateAddress: substrate.address,
    // As of EIP-191.
    sign: async (text) => (await inWallet(provider, 'personal_sign', [hex(text), address])) as string,
    prove: (text) => signBySubstrate(substrate, text),
  };
}

/** Names of the Substrate wallets of this browser. */
export function substrateWallets(): readonly string[] {
  return Object.keys(window.injectedWeb3 ?? {});
}

/** The accounts of a Substrate wallet. @throws when the user declines */
export async function substrateAccounts(wallet: string): Promise<readonly SubstrateAccount[]> {
  const { accounts } = await accessTo(wallet);
  return (await accounts.get()).map(({ address, name }) => ({ address, name: name ?? wallet, wallet }));
}

/** Signs a text by a Substrate account; undefined if its wallet cannot sign texts. @throws when the user declines */
async function signBySubstrate({ address, wallet }: SubstrateAccount, text: string): Promise<string | undefined> {
  const { signer } = await accessTo(wallet);
  if (!signer.signRaw) return undefined;
  const { signature } = await signer.signRaw({ address, data: hex(text), type: 'bytes' });
  return signature;
}

async function accessTo(wallet: string): Promise<InjectedAccess> {
  const extension = window.injectedWeb3?.[wallet];
  if (!extension) throw new Error(`The wallet ${wallet} is no longer there.`);
  try {
    return await extension.enable(ORIGIN_NAME);
  } catch (error) {
    throw new Error('You declined in the wallet.', { cause: error });
  }
}

/** Source: EIP-1193, code 4001: the user said no. */
async function inWallet(provider: EthereumProvider, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    const isDeclined = (error as { code?: unknown } | null)?.code === 4001;
    throw new Error(isDeclined ? 'You declined in the wallet.' : 'The wallet could not do it.', { cause: error });
  }
}

function hex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
