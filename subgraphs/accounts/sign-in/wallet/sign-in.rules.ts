import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { checkAddress } from '@polkadot/util-crypto/address/check';
import { decodeAddress } from '@polkadot/util-crypto/address/decode';
import { encodeAddress } from '@polkadot/util-crypto/address/encode';
import { isEthereumAddress } from '@polkadot/util-crypto/ethereum/isAddress';
import { signatureVerify } from '@polkadot/util-crypto/signature/verify';

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_TTL_SECONDS = 300;

/** The SS58 network of all addresses. Source: ss58-registry, 42 */
const SS58_NETWORK = 42;

const PUBLIC_KEY_BYTES = 32;

/** Whether this is an Ethereum address: lower case, or mixed case with a valid EIP-55 checksum. */
export function isWalletAddress(address: string): boolean {
  return /^0x[0-9a-f]{40}$/.test(address) || isEthereumAddress(address);
}

/** Whether this is an SS58 address of network 42 with a valid checksum and a 32-byte key. */
export function isSubstrateAddress(address: string): boolean {
  if (address.length > 64 || !checkAddress(address, SS58_NETWORK)[0]) return false;
  // SS58 also encodes account indices of 1 to 8 bytes, which are not keys.
  const publicKey = decodeAddress(address, false, SS58_NETWORK);
  // The network can also be encoded in two bytes, but a key must have only one address.
  return publicKey.length === PUBLIC_KEY_BYTES && encodeAddress(publicKey, SS58_NETWORK) === address;
}

/** The checksummed form of an Ethereum address. Source: EIP-55 */
export function checksumAddress(lowerCase: string): string {
  const hex = lowerCase.slice(2);
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const isUpper = (place: number) => Number.parseInt(hash.charAt(place), 16) >= 8;
  return `0x${hex.replace(/[a-f]/g, (digit, place: number) => (isUpper(place) ? digit.toUpperCase() : digit))}`;
}

/** The text that a wallet signs, which also names the SS58 address. Source: EIP-4361 */
export function challengeMessage(challenge: {
  readonly publicUrl: string;
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}): string {
  return [
    `${new URL(challenge.publicUrl).host} wants you to sign in with your Ethereum account:`,
    checksumAddress(challenge.ethereumAddress),
    '',
    `Sign in to Archipelago with the Substrate account ${challenge.substrateAddress}.`,
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

/** Whether the key of the SS58 address (sr25519, ed25519 or ecdsa) signed the message, raw or wrapped in `<Bytes>`. */
export function provesSubstrateAddress(message: string, signature: string, substrateAddress: string): boolean {
  if (!isWellFormedSubstrateSignature(signature) || !isSubstrateAddress(substrateAddress)) return false;
  return provesByEcdsa(message, signature, substrateAddress) || provesByEdwards(message, signature, substrateAddress);
}

/** The SS58 address of an ecdsa key is the blake2b-256 of its compressed form. Source: Substrate, MultiSigner */
function provesByEcdsa(message: string, signature: string, substrateAddress: string): boolean {
  const bytes = hexToBytes(signature.slice(2));
  const bare = bytes.length === 66 && bytes[0] === ECDSA_TYPE ? bytes.subarray(1) : bytes;
  const v = bare[64];
  if (bare.length !== 65 || v === undefined || ![0, 1, 27, 28].includes(v)) return false;
  const recovered = concatBytes(Uint8Array.of(v % 27), bare.subarray(0, 64));
  const holder = bytesToHex(decodeAddress(substrateAddress, false, SS58_NETWORK));
  return [message, `<Bytes>${message}</Bytes>`].some((text) => {
    try {
      const publicKey = secp256k1.recoverPublicKey(recovered, blake256(utf8ToBytes(text)), { prehash: false });
      return bytesToHex(blake256(publicKey)) === holder;
    } catch {
      return false; // r or s is out of range, or is not on the curve
    }
  });
}

/** The type byte of an ecdsa signature. Source: Substrate, MultiSignature */
const ECDSA_TYPE = 2;

function blake256(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32 });
}

function provesByEdwards(message: string, signature: string, substrateAddress: string): boolean {
  try {
    return signatureVerify(message, signature, substrateAddress).isValid;
  } catch {
    return false; // the library throws on invalid lengths
  }
}
