import { randomBytes } from 'node:crypto';
import type { ByteSource } from '../../../../kernel/http/bytes.js';
import type { SyncContext } from '../../services.js';
import type { UploadResult } from './upload-result.js';
import { checkQuota, readBudget } from '../../usage/quota.actions.js';
import { currentRevision, writeFile, type NewFile, type WrittenFile } from './file.actions.js';
import type { PlainUpload } from './file.js';
import { ownerIdOf } from '../../folders/owner/owner.actions.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import { invalid } from '../../inputs/text.rules.js';
import { orRemove, type Change } from './new-objects.actions.js';
import { plainName } from './plain.rules.js';
import { checkRevision } from './revision.rules.js';
import { addBlob, storeFile, type StoredFile } from './store-file.actions.js';

/**
 * Stores a file in one request. @throws CONFLICT, BAD_REQUEST stale_sequence or invalid_manifest, PAYMENT_REQUIRED,
 * storage_inconsistency
 */
export async function uploadFile(context: SyncContext, manifest: Manifest, bytes: ByteSource): Promise<UploadResult> {
  checkRevision(manifest, await currentRevision(context.database, manifest), 'conflict');
  await checkQuota(context, manifest, BigInt(bytes.length ?? manifest.sizeBytes));
  const { uploadLimiter, hashing } = context.services;
  const stored = await uploadLimiter.read(manifest.ownerAddress, bytes.length, () =>
    storeFile(context, bytes, [hashing.stream()]),
  );
  return orRemove(context, keysOf(stored), async (change) => {
    if (stored.hash.toString('hex') !== manifest.ciphertextHash)
      throw invalid('The ciphertext does not match the BLAKE3 hash in the manifest.');
    const written = await writeStored(context, change, { stored, manifest });
    return { timestamp: written.updatedAt, ...written };
  });
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
  const { uploadLimiter, hashing } = context.services;
  const { pathHash, relativePath } = plainName(fileName, hashing);
  await checkQuota(context, { ownerAddress, folderHash: '', pathHash }, BigInt(bytes.length ?? 0));
  const salted = hashing.stream().update(Buffer.from(ownerAddress));
  const stored = await uploadLimiter.read(ownerAddress, bytes.length, () =>
    storeFile(context, bytes, [hashing.stream(), salted]),
  );
  return orRemove(context, keysOf(stored), async (change) => {
    const { fileId, uploadId, updatedAt } = await writeStored(context, change, {
      stored,
      manifest: {
        ownerAddress,
        folderHash: '',
        sizeBytes: `${stored.size}`,
        pathHash,
        saltedHash: salted.digest(),
        encryptedPath: Buffer.alloc(0),
        // An object key may contain empty segments and backslashes.
        fileName: relativePath.split(/[/\\]/).findLast((part) => part !== '') ?? null,
        relativePath,
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
