import { randomBytes } from 'node:crypto';
import type { ByteSource } from '../../../../kernel/http/bytes.js';
import type { SyncContext } from '../../services.js';
import type { UploadResult } from './upload-result.js';
import { readAllowance, readBudget } from '../../usage/quota.actions.js';
import { currentRevision, writeFile, type NewFile, type WrittenFile } from './file.actions.js';
import type { PlainUpload } from './file.js';
import { ownerIdOf } from '../../folders/owner/owner.actions.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import { invalid } from '../../inputs/text.rules.js';
import { orRemove, type Change } from './new-objects.actions.js';
import { plainName } from './plain.rules.js';
import { checkRevision } from './revision.rules.js';
import { addBlob, CHUNK_BYTES, storeFile, type FileBytes, type StoredFile } from './store-file.actions.js';

/**
 * Stores a file in one request. @throws CONFLICT, BAD_REQUEST stale_sequence or invalid_manifest, PAYMENT_REQUIRED,
 * storage_inconsistency
 */
export async function uploadFile(context: SyncContext, manifest: Manifest, bytes: ByteSource): Promise<UploadResult> {
  checkRevision(manifest, await currentRevision(context.database, manifest), 'conflict');
  const allowance = await readAllowance(context, manifest);
  // The plaintext is smaller than the ciphertext.
  allowance.check(BigInt(bytes.length ?? manifest.sizeBytes));
  const stored = await receive(context, manifest.ownerAddress, { bytes, allowance });
  return orRemove(context, keysOf(stored), async (change) => {
    if (stored.hash.toString('hex') !== manifest.ciphertextHash)
      throw invalid('The ciphertext does not match the BLAKE3 hash in the manifest.');
    const written = await writeStored(context, change, { stored, manifest });
    return { timestamp: written.updatedAt, ...written };
  });
}

/**
 * Stores the bytes when the owner may upload one more file. @throws RATE_LIMITED, UNAVAILABLE, BAD_REQUEST, PAYMENT_REQUIRED,
 * storage_inconsistency
 */
function receive(context: SyncContext, ownerAddress: string, file: FileBytes): Promise<StoredFile> {
  const { uploadLimiter, blobs } = context.services;
  const heldBytes = blobs.holdsUnknownLength ? CHUNK_BYTES : undefined;
  return uploadLimiter.read(ownerAddress, file.bytes.maxBytes, () => storeFile(context, file), heldBytes);
}

/** A file from an object-store gateway: unencrypted, without a folder, identified by its name. */
export interface PlainFile {
  readonly ownerAddress: string;
  readonly fileName: string;
  readonly bytes: ByteSource;
}

/** Stores a plain file; replaces a file with the same name. @throws BAD_REQUEST, PAYMENT_REQUIRED, storage_inconsistency */
export async function uploadPlainFile(
  context: SyncContext,
  { ownerAddress, fileName, bytes }: PlainFile,
): Promise<PlainUpload> {
  const { pathHash, ...names } = plainName(fileName, context.services.hashing);
  const fileKey = { ownerAddress, folderHash: '', pathHash };
  const allowance = await readAllowance(context, fileKey);
  allowance.check(BigInt(bytes.length ?? 0));
  const stored = await receive(context, ownerAddress, { bytes, allowance, salt: Buffer.from(ownerAddress) });
  return orRemove(context, keysOf(stored), async (change) => {
    const { saltedHash } = stored;
    if (!saltedHash) throw new Error('a file that is stored with a salt has a salted hash');
    const { fileId, uploadId, updatedAt } = await writeStored(context, change, {
      stored,
      manifest: {
        ownerAddress,
        folderHash: '',
        sizeBytes: `${stored.size}`,
        pathHash,
        saltedHash,
        encryptedPath: Buffer.alloc(0),
        ...names,
        source: null,
      },
    });
    return { fileId, uploadId, timestamp: updatedAt };
  });
}

/** A file as it was stored; the ids are those of the audit log. */
interface StoredUpload extends WrittenFile {
  readonly fileId: string;
  readonly uploadId: string;
}

/** Inserts the blob and the file in one transaction. */
async function writeStored(
  context: SyncContext,
  change: Change,
  { stored, manifest }: { readonly stored: StoredFile; readonly manifest: NewFile['manifest'] },
): Promise<StoredUpload> {
  const budget = await readBudget(context);
  const now = context.now();
  return change(manifest.ownerAddress, async (transaction) => {
    const ownerId = await ownerIdOf(transaction, manifest.ownerAddress, now);
    const blobId = await addBlob(transaction, ownerId, stored, now);
    const file = { ownerId, manifest, blobId, storedBytes: stored.size, budget, conflictReason: 'conflict' as const };
    const written = await writeFile(transaction, file, now);
    return { fileId: manifest.pathHash.toString('hex'), uploadId: randomBytes(16).toString('hex'), ...written };
  });
}

function keysOf({ chunks }: StoredFile): string[] {
  return chunks.map(({ key }) => key);
}
