import { ed25519 } from '@noble/curves/ed25519.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { folderMnemonic, keyOfMnemonic } from '../wallet.js';

/** The secret of a folder and its public names. */
export interface FolderKey {
  readonly label: string;
  /** First 16 hex digits of the SHA-256 of the label. */
  readonly folderHash: string;
  /** 32 bytes: the key of XChaCha20-Poly1305 and the seed of Ed25519. */
  readonly secret: Uint8Array;
}

/** Derives the key of a folder from the master phrase. */
export function folderKey(masterMnemonic: string, label: string): FolderKey {
  return { label, folderHash: folderHash(label), secret: keyOfMnemonic(folderMnemonic(masterMnemonic, label)) };
}

/** Returns the hash that names a folder. */
export function folderHash(label: string): string {
  return bytesToHex(sha256(utf8ToBytes(label))).slice(0, 16);
}

/** Returns the id of a file: the BLAKE3 hash of its path, in Unicode form NFC. */
export function pathHash(relativePath: string): Uint8Array {
  return blake3(utf8ToBytes(relativePath.normalize('NFC')));
}

/** Signs the declaration of an upload. */
export function signUpload(ciphertextHash: string, seed: Uint8Array): Uint8Array {
  return sign(
    `I here by declare that the file with hash ${ciphertextHash} that i am uploading is in par with the ToS of the provider`,
    seed,
  );
}

/** Signs the declaration of renames. @param pairs hashes of the old and the new path */
export function signRenames(pairs: readonly (readonly [Uint8Array, Uint8Array])[], seed: Uint8Array): Uint8Array {
  const list = pairs.map(([from, to]) => `${bytesToHex(from)}:${bytesToHex(to)}`).toSorted();
  return sign(
    `I hereby declare that I am renaming the following files on HCFS with the understanding that I have read and agree to the Terms of Service: ${list.join(',')}`,
    seed,
  );
}

/** Returns the public key that verifies signatures of a seed. */
export function verifyingKey(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

function sign(sentence: string, seed: Uint8Array): Uint8Array {
  return ed25519.sign(utf8ToBytes(sentence), seed);
}
