import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Length of a seed in bytes. */
const SEED_BYTES = 32;

/** The DER prefix of a raw key. Source: RFC 8410 */
const PKCS_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param authorityKey 32 bytes of seed, 32 of public key, in Nebula's format */
export function signingKey(authorityKey: Buffer): KeyObject {
  const seed = authorityKey.subarray(0, SEED_BYTES);
  return createPrivateKey({ key: Buffer.concat([PKCS_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
