// Loaded when a wallet signs in first: its WebAssembly takes 100 ms of CPU and 30 MiB.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { checkAddress } from '@polkadot/util-crypto/address/check';
import { decodeAddress } from '@polkadot/util-crypto/address/decode';
import { encodeAddress } from '@polkadot/util-crypto/address/encode';
import { cryptoWaitReady } from '@polkadot/util-crypto/crypto';
import { signatureVerify } from '@polkadot/util-crypto/signature/verify';
import { isOfSmallOrder } from '../../../../kernel/security/small-order.js';
import { isWellFormedSubstrateSignature } from './sign-in.rules.js';

await cryptoWaitReady();

/** The SS58 network of all addresses. Source: ss58-registry, 42 */
const SS58_NETWORK = 42;

const PUBLIC_KEY_BYTES = 32;

/** Whether this is an SS58 address of network 42 with a valid checksum and a 32-byte key. */
export function isSubstrateAddress(address: string): boolean {
  if (address.length > 64 || !checkAddress(address, SS58_NETWORK)[0]) return false;
  // SS58 also encodes account indices of 1 to 8 bytes, which are not keys.
  const publicKey = decodeAddress(address, false, SS58_NETWORK);
  // The network can also be encoded in two bytes, but a key must have only one address.
  return publicKey.length === PUBLIC_KEY_BYTES && encodeAddress(publicKey, SS58_NETWORK) === address;
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
    if (isOfSmallOrder(decodeAddress(substrateAddress, false, SS58_NETWORK))) return false;
    return signatureVerify(message, signature, substrateAddress).isValid;
  } catch {
    return false; // the library throws on invalid lengths
  }
}
