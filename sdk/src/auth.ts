import { asRecord } from './errors.js';
import { execute } from './graphql.js';
import type { Transport } from './transport.js';
import type { Signer } from './wallet.js';

/** The account after a sign-in. */
export interface SignedIn {
  /** API token, valid for 30 days. */
  readonly token: string;
  readonly userId: number;
  readonly username: string;
  readonly substrateAddress: string;
  /** Whether this sign-in created the account. */
  readonly isNew: boolean;
}

/** Signs in with a wallet: requests a challenge, signs its message, exchanges the signature for a token. */
export async function signInWithWallet(transport: Transport, signer: Signer, referralCode = ''): Promise<SignedIn> {
  const pair = { address: signer.address, substrate_address: signer.substrateAddress };
  const { challenge, message } = asRecord(await post(transport, '/api/auth/mnemonic/', pair));
  const signature = await signer.sign(String(message));
  const proof = await signer.prove?.(String(message));
  const body = {
    ...pair,
    challenge,
    signature,
    ...(proof !== undefined && { substrate_signature: proof }),
    referral_code: referralCode,
    session_data: { challenge, address: signer.address },
  };
  return accountOf((await post(transport, '/api/auth/verify/', body)) as AccountBody);
}

const LINK_CHALLENGE = `mutation ($address: String!, $substrateAddress: String!) {
  createWalletLinkChallenge(address: $address, substrateAddress: $substrateAddress) { challenge message }
}`;
const LINK_WALLET = `mutation ($address: String!, $substrateAddress: String!, $challenge: String!, $signature: String!, $proof: String) {
  linkWallet(
    address: $address
    substrateAddress: $substrateAddress
    challenge: $challenge
    signature: $signature
    substrateSignature: $proof
  ) { id }
}`;

/** Links a wallet to the account of the transport, which has none: the wallet can sign in to it from then on. */
export async function linkWallet(transport: Transport, signer: Signer): Promise<void> {
  const pair = { address: signer.address, substrateAddress: signer.substrateAddress };
  const answer = await execute<Record<string, unknown>, object>(transport, LINK_CHALLENGE, { variables: pair });
  const { challenge, message } = asRecord(answer.createWalletLinkChallenge);
  const signature = await signer.sign(String(message));
  const proof = await signer.prove?.(String(message));
  await execute(transport, LINK_WALLET, { variables: { ...pair, challenge, signature, proof } });
}

/** Exchanges the code that a social sign-in sent to the callback address. */
export async function exchangeCode(transport: Transport, code: string, provider?: string): Promise<SignedIn> {
  const answer = await post(transport, '/api/auth/exchange/', { code, code_verifier: provider });
  const { token, user } = answer as { token: string; user: Omit<AccountBody, 'token' | 'user_id'> & { id: number } };
  return accountOf({ ...user, user_id: user.id, token });
}

interface AccountBody {
  readonly token: string;
  readonly user_id: number;
  readonly username?: string;
  readonly substrate_address?: string | null;
  readonly is_new?: boolean;
}

function accountOf(body: AccountBody): SignedIn {
  const { token, user_id: userId, username = '', substrate_address: address, is_new: isNew = false } = body;
  return { token, userId, username, substrateAddress: address ?? '', isNew };
}

function post(transport: Transport, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return transport.json(path, { method: 'POST', headers, body: JSON.stringify(body) });
}
