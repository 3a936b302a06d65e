import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Length of a seed in bytes. */
const SEED_BYTES = 32;

/** The DER prefix of a raw key. Source: RFC 8410 */
const PKCS_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** @param authorityKey 32 bytes of seed, 32 of public key, in Nebula's format */
export function signingKey(authorityKey: Buffer): KeyObject {
  const seed = authorityKey.subarray(0, SEED_BYTES);
  return createPrivateKey({ key: Buffer.concat([PKCS_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** @param publicKey 32 bytes, ed25519 */
export function verifyingKey(publicKey: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
}
