import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { entropyToMnemonic, generateMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { getPublicKey, secretFromSeed, sign } from '@scure/sr25519';
import { base58 } from '@scure/base';

/** What signs in: two addresses, and functions that sign the message of the challenge. */
export interface Signer {
  /** Ethereum address, `0x…`. */
  readonly address: string;
  /** SS58 address, which names the account. */
  readonly substrateAddress: string;
  /** Signs a text with EIP-191 personal_sign. Returns `0x` and 130 hex digits. */
  readonly sign: (message: string) => Promise<string> | string;
  /** Signs the same text with the SS58 key, which proves that the address is the user's; undefined where the wallet cannot. */
  readonly prove?: (message: string) => Promise<string | undefined>;
}

/** Derivation path of the Ethereum key. Source: BIP-44, coin type 60 */
const ETHEREUM_PATH = "m/44'/60'/0'/0/0";
const SS58_PREFIX = 42;

/** Returns a new BIP-39 phrase of 12 words. */
export function newMnemonic(): string {
  return generateMnemonic(wordlist, 128);
}

/** Returns the wallet of a BIP-39 phrase, which signs with both of its keys. @throws Error when the phrase is not valid */
export function walletOf(mnemonic: string): Signer {
  const entropy = mnemonicToEntropy(mnemonic, wordlist);
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(ETHEREUM_PATH);
  if (!privateKey) throw new Error('The phrase derives no Ethereum key.');
  const substrateKey = secretFromSeed(miniSecret(entropy));
  return {
    address: ethereumAddress(privateKey),
    substrateAddress: ss58Address(getPublicKey(substrateKey)),
    sign: (message) => personalSign(message, privateKey),
    prove: async (message) => `0x${bytesToHex(sign(substrateKey, utf8ToBytes(message)))}`,
  };
}

/** Signs a text as wallets do. Returns `0x`, r, s and v. Source: EIP-191 */
export function personalSign(message: string, secretKey: Uint8Array): string {
  const text = utf8ToBytes(message);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`), text));
  const [recovery = 0, ...rs] = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' });
  return `0x${bytesToHex(Uint8Array.from(rs))}${(recovery + 27).toString(16)}`;
}

/** Returns the mixed-case address of a secret key. Source: EIP-55 */
export function ethereumAddress(secretKey: Uint8Array): string {
  const hash = keccak_256(secp256k1.getPublicKey(secretKey, false).slice(1)).slice(12);
  const digits = bytesToHex(hash);
  const check = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${[...digits].map((digit, index) => (Number.parseInt(check[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}

/** Returns the sr25519 seed of the entropy of a phrase. Source: substrate-bip39 */
function miniSecret(entropy: Uint8Array): Uint8Array {
  return pbkdf2(sha512, entropy, utf8ToBytes('mnemonic'), { c: 2048, dkLen: 64 }).slice(0, 32);
}

/** Returns the SS58 address of a public key. Source: Substrate, SS58 address format */
export function ss58Address(publicKey: Uint8Array): string {
  const body = concatBytes(Uint8Array.of(SS58_PREFIX), publicKey);
  const checksum = blake2b(concatBytes(utf8ToBytes('SS58PRE'), body)).slice(0, 2);
  return base58.encode(concatBytes(body, checksum));
}

/** Returns the phrase of a folder: 24 words derived from the master phrase and the label. */
export function folderMnemonic(masterMnemonic: string, label: string): string {
  const seed = mnemonicToSeedSync(masterMnemonic).slice(0, 32);
  return entropyToMnemonic(sha256(concatBytes(seed, utf8ToBytes(label))), wordlist);
}

/** Returns the 32 bytes that are both the Ed25519 seed and the XChaCha20 key of a phrase. */
export function keyOfMnemonic(mnemonic: string): Uint8Array {
  return mnemonicToSeedSync(mnemonic).slice(0, 32);
}
