import type { Client } from 'urql';
import { exchangeCode, signInWithWallet } from '../../../sdk/src/auth';
import { Transport } from '../../../sdk/src/transport';
import { graphql } from '../../graphql/graphql';
import {
  ethereumAccount,
  signByEthereum,
  signBySubstrate,
  type EthereumWallet,
  type SubstrateAccount,
} from '../../session/wallets';

const VERIFY = graphql('query ($token: String!) { verifyToken(token: $token) { valid } }');

export const PROVIDERS = graphql('{ signInProviders }');

/** The accounts that sign in together. */
export interface WalletPair {
  readonly ethereum: EthereumWallet;
  readonly substrate: SubstrateAccount;
}

const transport = new Transport({ url: location.origin });

/** Signs a challenge with the wallets. Returns the token. @throws when a wallet or the server refuses */
export async function tokenByWallets({ ethereum, substrate }: WalletPair): Promise<string> {
  const address = await ethereumAccount(ethereum);
  const { token } = await signInWithWallet(transport, {
    address,
    substrateAddress: substrate.address,
    sign: (message) => signByEthereum(ethereum, address, message),
    prove: (message) => signBySubstrate(substrate, message),
  });
  return token;
}

/** Exchanges the code of a social sign-in for a token. */
export async function tokenByCode(code: string): Promise<string> {
  return (await exchangeCode(transport, code)).token;
}

/** Returns a pasted token without its scheme. @throws when the server does not know it */
export async function checkedToken(client: Client, text: string): Promise<string> {
  const token = text.trim().replace(/^(?:Token|Bearer|ServiceToken)\s+/i, '');
  const { error } = await client.query(VERIFY, { token });
  if (error) throw error;
  return token;
}
