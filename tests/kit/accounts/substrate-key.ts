import {
  blake2AsU8a,
  ed25519PairFromSeed,
  ed25519Sign,
  encodeAddress,
  randomAsU8a,
  secp256k1PairFromSeed,
  secp256k1Sign,
  sr25519PairFromSeed,
  sr25519Sign,
} from '@polkadot/util-crypto';
import type { Keypair } from '@polkadot/util-crypto/types';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { call, type Reply } from '../platform.js';
import { challengeFor, personalSign, type Wallet } from './wallet.js';

/** The key of an SS58 address. */
export interface SubstrateKey {
  readonly substrateAddress: string;
  readonly sign: (text: string) => string;
}

const SCHEMES = {
  sr25519: [sr25519PairFromSeed, sr25519Sign],
  ed25519: [ed25519PairFromSeed, ed25519Sign],
  ecdsa: [secp256k1PairFromSeed, (text: Uint8Array, pair: Keypair) => secp256k1Sign(text, pair, 'blake2')],
} as const;

export function newSubstrateKey(scheme: keyof typeof SCHEMES = 'sr25519'): SubstrateKey {
  const [pairFromSeed, sign] = SCHEMES[scheme];
  const pair = pairFromSeed(randomAsU8a(32));
  return {
    substrateAddress: encodeAddress(scheme === 'ecdsa' ? blake2AsU8a(pair.publicKey) : pair.publicKey, 42),
    sign: (text) => `0x${bytesToHex(sign(utf8ToBytes(text), pair))}`,
  };
}

/** Signs the wallet in with whatever the proof makes of the message. */
export async function signInWithProof(
  wallet: Wallet,
  proofOf: (message: string) => unknown,
  url?: string,
): Promise<Reply> {
  const { challenge, message } = await challengeFor(wallet, url);
  return call('POST /api/auth/verify/', {
    ...(url !== undefined && { url }),
    body: {
      address: wallet.address,
      substrate_address: wallet.substrateAddress,
      challenge,
      signature: personalSign(wallet, message),
      substrate_signature: proofOf(message),
    },
  });
}
