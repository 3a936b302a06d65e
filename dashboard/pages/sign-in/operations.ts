import type { Client } from 'urql';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';
import {
  ethereumAccount,
  signByEthereum,
  signBySubstrate,
  type EthereumWallet,
  type SubstrateAccount,
} from '../../session/wallets';

const REQUEST = graphql(`
  mutation ($address: String!, $substrateAddress: String!) {
    requestChallenge(address: $address, substrateAddress: $substrateAddress) {
      challenge
      message
    }
  }
`);

const SIGN_IN = graphql(`
  mutation (
    $address: String!
    $substrateAddress: String!
    $challenge: String
    $signature: String!
    $substrateSignature: String
  ) {
    signIn(
      address: $address
      substrateAddress: $substrateAddress
      challenge: $challenge
      signature: $signature
      substrateSignature: $substrateSignature
    ) {
      token
    }
  }
`);

const EXCHANGE = graphql('mutation ($code: String!) { exchangeAuthCode(code: $code) { token } }');
const VERIFY = graphql('query ($token: String!) { verifyToken(token: $token) { valid } }');

export const PROVIDERS = graphql('{ signInProviders }');

/** The accounts that sign in together. Of an address that was typed, nobody proves that it is the user's. */
export interface WalletPair {
  readonly ethereum: EthereumWallet;
  readonly substrate: SubstrateAccount | string;
}

/** Signs a challenge with the wallets. Returns the token. @throws when a wallet or the server refuses */
export async function tokenByWallets(client: Client, { ethereum, substrate }: WalletPair): Promise<string> {
  const address = await ethereumAccount(ethereum);
  const substrateAddress = typeof substrate === 'string' ? substrate : substrate.address;
  const { requestChallenge } = await done(client.mutation(REQUEST, { address, substrateAddress }));
  const { challenge, message } = requestChallenge;
  const signature = await signByEthereum(ethereum, address, message);
  const substrateSignature = typeof substrate === 'string' ? undefined : await signBySubstrate(substrate, message);
  const proof = substrateSignature === undefined ? {} : { substrateSignature };
  const { signIn } = await done(
    client.mutation(SIGN_IN, { address, substrateAddress, challenge, signature, ...proof }),
  );
  return signIn.token;
}

/** Exchanges the code of a social sign-in for a token. */
export async function tokenByCode(client: Client, code: string): Promise<string> {
  const { exchangeAuthCode } = await done(client.mutation(EXCHANGE, { code }));
  return exchangeAuthCode.token;
}

/** Returns a pasted token without its scheme. @throws when the server does not know it */
export async function checkedToken(client: Client, text: string): Promise<string> {
  const token = text.trim().replace(/^(?:Token|Bearer|ServiceToken)\s+/i, '');
  const { error } = await client.query(VERIFY, { token });
  if (error) throw error;
  return token;
}
