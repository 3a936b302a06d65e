import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { randomBytes } from 'node:crypto';
import { asAdmin, call, type Json } from '../platform.js';
import { ss58Address } from './ss58.js';

/** An Ethereum key and its SS58 address. */
export interface Wallet {
  readonly secretKey: Uint8Array;
  /** Lower case. */
  readonly address: string;
  readonly substrateAddress: string;
}

export function newWallet(substrateAddress = ss58Address(randomBytes(32))): Wallet {
  const secretKey = secp256k1.utils.randomSecretKey();
  const publicKey = secp256k1.getPublicKey(secretKey, false);
  return { secretKey, address: `0x${bytesToHex(keccak_256(publicKey.slice(1)).slice(12))}`, substrateAddress };
}

/** Signs a text as wallets do: EIP-191, `0x` r s v with v 27 or 28. */
export function personalSign({ secretKey }: Wallet, message: string): string {
  const text = utf8ToBytes(message);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`), text));
  const signature = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
  const [recovery = 0] = signature;
  return `0x${bytesToHex(signature.slice(1))}${(recovery + 27).toString(16)}`;
}

/** Requests a challenge for the wallet. */
export async function challengeFor({ address, substrateAddress }: Wallet, url?: string): Promise<Json> {
  const reply = await call('POST /api/auth/mnemonic/', {
    body: { address, substrate_address: substrateAddress },
    ...(url !== undefined && { url }),
  });
  return reply.body;
}

export interface SignedIn {
  readonly wallet: Wallet;
  readonly token: string;
  readonly userId: number;
  readonly substrateAddress: string;
}

/** Signs in with a wallet over REST, as every client does. */
export async function signIn(wallet: Wallet = newWallet(), url?: string): Promise<SignedIn> {
  const { challenge, message } = await challengeFor(wallet, url);
  const { status, body } = await call('POST /api/auth/verify/', {
    body: {
      address: wallet.address,
      substrate_address: wallet.substrateAddress,
      challenge,
      signature: personalSign(wallet, message),
      referral_code: null,
      session_data: { challenge, address: wallet.address },
    },
    ...(url !== undefined && { url }),
  });
  if (status !== 200) throw new Error(`sign-in was refused: ${JSON.stringify(body)}`);
  return { wallet, token: body.token, userId: body.user_id, substrateAddress: wallet.substrateAddress };
}

/** Signs in a new user and provisions the private network. */
export async function signInWithNetwork(): Promise<SignedIn> {
  const user = await signIn();
  await call('POST /api/network/provision/', { token: user.token });
  return user;
}

/** Issues a service token with these roles. */
export async function serviceToken(...roles: string[]): Promise<string> {
  const issue = 'mutation ($roles: [Role!]!) { adminCreateServiceToken(name: "tests", roles: $roles) { token } }';
  const { adminCreateServiceToken } = await asAdmin(issue, { roles });
  return adminCreateServiceToken.token;
}

/** Grants a user credits. */
export async function grant(user: SignedIn, credits: string, url?: string): Promise<void> {
  await asAdmin(
    'mutation ($to: String!, $credits: Decimal!) { adminGrantCredits(substrateAddress: $to, credits: $credits, reason: "a test") { balance } }',
    { to: user.substrateAddress, credits },
    url,
  );
}

/** Sets the roles of a user. */
export async function setRoles(substrateAddress: string, roles: readonly string[], url?: string): Promise<void> {
  await asAdmin(
    'mutation ($to: String!, $roles: [Role!]!) { adminSetRoles(substrateAddress: $to, roles: $roles) { id } }',
    { to: substrateAddress, roles },
    url,
  );
}
