import { asRecord } from './errors.js';
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
