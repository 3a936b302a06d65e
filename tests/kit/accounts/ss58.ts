import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Returns the address of a 32-byte key on network 42. Source: Substrate, SS58 address format */
export function ss58Address(publicKey: Uint8Array): string {
  const named = concatBytes(Uint8Array.of(42), publicKey);
  const checksum = blake2b(concatBytes(utf8ToBytes('SS58PRE'), named)).subarray(0, 2);
  let number = BigInt(`0x${bytesToHex(concatBytes(named, checksum))}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = DIGITS.charAt(Number(number % 58n)) + text;
  return text;
}
