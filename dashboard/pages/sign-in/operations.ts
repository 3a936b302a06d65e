import type { Client } from 'urql';
import { exchangeCode, signInWithWallet } from '../../../sdk/src/auth';
import { Transport } from '../../../sdk/src/transport';
import { graphql } from '../../graphql/graphql';
import { signerOf, type WalletPair } from '../../session/wallets';

const VERIFY = graphql('query ($token: String!) { verifyToken(token: $token) { valid } }');

export const PROVIDERS = graphql('{ signInProviders }');

const transport = new Transport({ url: location.origin });

/** Signs a challenge with the wallets. Returns the token. @throws when a wallet or the server refuses */
export async function tokenByWallets(wallets: WalletPair): Promise<string> {
  return (await signInWithWallet(transport, await signerOf(wallets))).token;
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
