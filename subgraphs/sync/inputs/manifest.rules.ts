import { createPublicKey, verify } from 'node:crypto';
import { readFolderHash } from './owner.rules.js';
import type { ManifestInput } from './manifest.js';
import { MAX_PATH_BYTES, readRelativePath } from './path.rules.js';
import { checkFileName, checkByteLength, invalid } from './text.rules.js';

/** A checked manifest: complete, within limits, signed. Buffers have the lengths of the document. */
export interface Manifest {
  readonly ownerAddress: string;
  readonly folderHash: string;
  /** Lower-case hex. */
  readonly ciphertextHash: string;
  /** Whole numbers as digits. */
  readonly sizeBytes: string;
  readonly revisionSeq: string;
  readonly pathHash: Buffer;
  readonly saltedHash: Buffer;
  readonly baseRevisionId: Buffer | null;
  readonly encryptedPath: Buffer;
  readonly fileName: string | null;
  readonly relativePath: string | null;
  readonly source: string | null;
}

/** Maximum bytes of the source. */
const MAX_SOURCE_BYTES = 256;
/** Sizes are sorted as bigint; no file reaches this, as a ciphertext has at most 1 TiB. */
const MAX_SIZE_BYTES = 2n ** 63n - 1n;
/** An encrypted path also contains a nonce, a count and tags. */
const MAX_ENCRYPTED_PATH_BYTES = MAX_PATH_BYTES + 1_024;

/**
 * Checks a manifest and its signature; the owner is checked before.
 * @throws BAD_REQUEST invalid_manifest
 */
export function readManifest(input: ManifestInput): Manifest {
  const { ss58Address, pathHash, saltedHash, baseRevisionId, encryptedPath, fileName, relativePath, source } = input;
  const ciphertextHash = readHash('ciphertext_hash', input.ciphertextHash);
  checkLength('path_hash', pathHash, 32);
  checkLength('salted_hash', saltedHash, 32);
  checkLength('signing_key', input.signingKey, 32);
  checkLength('signature', input.signature, 64);
  if (baseRevisionId) checkLength('base_revision_id', baseRevisionId, 32);
  if (encryptedPath.length > MAX_ENCRYPTED_PATH_BYTES)
    throw invalid(`\`encrypted_path\` must have at most ${MAX_ENCRYPTED_PATH_BYTES} bytes.`);
  checkFileName('file_name', fileName);
  checkByteLength('source', source, MAX_SOURCE_BYTES);
  if (BigInt(input.sizeBytes) > MAX_SIZE_BYTES) throw invalid(`\`size_bytes\` must be at most ${MAX_SIZE_BYTES}.`);
  if (!isSigned(uploadSentence(ciphertextHash), input)) throw invalid('The signature of the manifest is not valid.');
  return {
    ownerAddress: ss58Address,
    folderHash: readFolderHash(input.folderHash),
    ciphertextHash,
    sizeBytes: input.sizeBytes,
    revisionSeq: input.revisionSeq,
    pathHash,
    saltedHash,
    baseRevisionId: baseRevisionId ?? null,
    encryptedPath,
    fileName: fileName || null,
    relativePath: readRelativePath('relative_path', relativePath),
    source: source ?? null,
  };
}

/** The signed sentence of an upload. */
export function uploadSentence(ciphertextHash: string): string {
  return `I here by declare that the file with hash ${ciphertextHash} that i am uploading is in par with the ToS of the provider`;
}

/** The signed sentence of renames: pairs of hex path hashes, ordered by the old ones. */
export function renameSentence(pairs: readonly { readonly from: Buffer; readonly to: Buffer }[]): string {
  const sorted = pairs.toSorted((a, b) => Buffer.compare(a.from, b.from));
  const text = sorted.map(({ from, to }) => `${from.toString('hex')}:${to.toString('hex')}`).join(',');
  return `I hereby declare that I am renaming the following files on HCFS with the understanding that I have read and agree to the Terms of Service: ${text}`;
}

/** Prefix of a 32-byte Ed25519 public key as SubjectPublicKeyInfo. Source: RFC 8410 */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether the Ed25519 signature of the sentence is valid. Lengths are checked before. */
export function isSigned(
  sentence: string,
  { signature, signingKey }: { readonly signature: Buffer; readonly signingKey: Buffer },
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([KEY_PREFIX, signingKey]), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(sentence), key, signature);
  } catch {
    return false;
  }
}

/** Lower case. @throws BAD_REQUEST invalid_manifest unless it has 64 hex digits */
function readHash(field: string, text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw invalid(`\`${field}\` must have 64 hex digits.`);
  return text.toLowerCase();
}

/** @throws BAD_REQUEST invalid_manifest for another number of bytes */
export function checkLength(field: string, bytes: Buffer, length: number): void {
  if (bytes.length !== length) throw invalid(`\`${field}\` must have ${length} bytes.`);
}

/** Maximum bytes and chunks of a file. Source: docs/decisions/0009 */
export const MAX_FILE_BYTES = 2 ** 40;
export const MAX_CHUNKS = 65_536;
