import { hexToBytes } from '@noble/hashes/utils.js';
import { encodeAddress } from '@polkadot/util-crypto/address/encode';
import { cryptoWaitReady } from '@polkadot/util-crypto/crypto';
import { sr25519DerivePublic } from '@polkadot/util-crypto/sr25519/derivePublic';

// Its WebAssembly derives the keys.
await cryptoWaitReady();

/** The SS58 network of all addresses. Source: ss58-registry, 42 */
const SS58_NETWORK = 42;

/** A junction has 32 bytes: a number in little-endian order. Source: Substrate, DeriveJunction */
const JUNCTION_BYTES = 32;

/** The SS58 address of the soft child `/index` of an sr25519 public key, `0x` and 64 hex digits. */
export function substrateAddress(publicKey: string, index: number): string {
  const junction = new Uint8Array(JUNCTION_BYTES);
  new DataView(junction.buffer).setUint32(0, index, true);
  return encodeAddress(sr25519DerivePublic(hexToBytes(publicKey.slice(2)), junction), SS58_NETWORK);
}
