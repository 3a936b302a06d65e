import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Whether an ed25519 key is a point of small order. Such a key has no owner: anyone can forge its signatures.
 * Source: RFC 8032, 5.1; RFC 7748, 7
 */
export function isOfSmallOrder(publicKey: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(publicKey, true).isSmallOrder();
  } catch {
    return false; // not a point on the curve
  }
}
