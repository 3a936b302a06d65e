import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_TTL_SECONDS = 300;

/** Allowed challenges per verification: clients retry up to three times. */
export const CHALLENGES_PER_VERIFICATION = 4;

/** Whether this is an Ethereum address: of one case, or mixed case with a valid EIP-55 checksum. */
export function isWalletAddress(address: string): boolean {
  if (/^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(address)) return true;
  return /^0x[0-9a-fA-F]{40}$/.test(address) && checksumAddress(address.toLowerCase()) === address;
}

/** The checksummed form of an Ethereum address. Source: EIP-55 */
export function checksumAddress(lowerCase: string): string {
  const hex = lowerCase.slice(2);
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const isUpper = (place: number) => Number.parseInt(hash.charAt(place), 16) >= 8;
  return `0x${hex.replace(/[a-f]/g, (digit, place: number) => (isUpper(place) ? digit.toUpperCase() : digit))}`;
}

/** The text that a wallet signs, which also names the SS58 address, and the user to whose account it is linked. Source: EIP-4361 */
export function challengeMessage(challenge: {
  readonly publicUrl: string;
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
  /** Undefined for a sign-in. */
  readonly linkTo: string | undefined;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}): string {
  return [
    `${new URL(challenge.publicUrl).host} wants you to sign in with your Ethereum account:`,
    checksumAddress(challenge.ethereumAddress),
    '',
    challenge.linkTo === undefined
      ? `Sign in to Archipelago with the Substrate account ${challenge.substrateAddress}.`
      : `Link this wallet and the Substrate account ${challenge.substrateAddress} to the Archipelago account ${challenge.linkTo}, whose user can then sign in with them.`,
    '',
    `URI: ${challenge.publicUrl}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issuedAt.toISOString()}`,
    `Expiration Time: ${challenge.expiresAt.toISOString()}`,
  ].join('\n');
}

/** Whether this has the format of a signature: `0x`, r, s and a v of 27, 28, 0 or 1. */
export function isWellFormedSignature(signature: string): boolean {
  return /^0x[0-9a-fA-F]{128}(?:1b|1c|00|01)$/i.test(signature);
}

/**
 * The lower-case address whose key signed the message by EIP-191; undefined for an invalid signature. @param signature
 * checked by `isWellFormedSignature`
 */
export function recoverSigner(message: string, signature: string): string | undefined {
  const bytes = hexToBytes(signature.slice(2));
  const recovery = (bytes[64] ?? 0) % 27;
  const text = utf8ToBytes(message);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`), text));
  try {
    const recovered = concatBytes(Uint8Array.of(recovery), bytes.subarray(0, 64));
    const compressed = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
    const publicKey = secp256k1.Point.fromBytes(compressed).toBytes(false);
    return `0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`;
  } catch {
    return undefined; // r or s is out of range, or is not on the curve
  }
}

/**
 * Whether this has the format of a signature by an SS58 key: `0x` and 64 bytes, 65 or 66 with a recovery or type byte.
 */
export function isWellFormedSubstrateSignature(signature: string): boolean {
  return /^0x(?:[0-9a-fA-F]{2}){64,66}$/.test(signature);
}
