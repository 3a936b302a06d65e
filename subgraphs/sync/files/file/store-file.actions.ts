import { sql } from 'kysely';
import type { ByteSource } from '../../../../kernel/http/bytes.js';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { badRequest } from '../../../../kernel/errors.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { newObjectKey, type BlobWriter } from '../../blob-store/store/blob-store.js';
import type { StreamHasher } from '../../blake3/hashing.js';
import { discardObjects, keepObjects, postponeRemoval } from '../../blob-store/blob/discard.actions.js';
import type { Tables } from '../../entities.js';
import { removeNewObjects } from './new-objects.actions.js';
import type { SyncContext } from '../../services.js';
import type { Allowance } from '../../usage/quota.actions.js';

/** Chunk size for files that are uploaded in one request. */
export const CHUNK_BYTES = 8 * 1024 * 1024;

/** Maximum bytes of such a file: 65,536 chunks. Source: docs/decisions/0009 */
const MAX_BYTES = 2 ** 39;

/** Milliseconds that the objects of an upload are kept, and after which a running one extends that. */
const KEPT_MS = 24 * 3_600_000;
const EXTENSION_INTERVAL_MS = 3_600_000;

/** The stored bytes of a file: durable, but without a row yet. */
export interface StoredFile {
  readonly size: number;
  /** BLAKE3 of the whole file. */
  readonly hash: Buffer;
  /** BLAKE3 of the salt and the whole file; undefined without a salt. */
  readonly saltedHash: Buffer | undefined;
  readonly chunks: readonly StoredChunk[];
  /** Whether its objects are scheduled for removal, which `addBlob` cancels. */
  readonly isRemovalScheduled: boolean;
}

interface StoredChunk {
  readonly key: string;
  readonly size: number;
  readonly hash: Buffer;
}

/** A file to store. */
export interface FileBytes {
  readonly bytes: ByteSource;
  readonly allowance: Allowance;
  /** Bytes that are hashed before those of the file, for `saltedHash`. */
  readonly salt?: Buffer;
}

/**
 * Stores a file as a stream; a failure leaves nothing behind. @throws BAD_REQUEST, PAYMENT_REQUIRED as soon as there are more
 * bytes than the allowance, storage_inconsistency
 */
export async function storeFile(context: SyncContext, { bytes, allowance, salt }: FileBytes): Promise<StoredFile> {
  if ((bytes.length ?? 0) > MAX_BYTES) throw tooLarge();
  const { hashing } = context.services;
  const hashers = { whole: hashing.stream(), salted: salt && hashing.stream().update(salt) };
  const storing = new Storing(context, hashers, allowance);
  try {
    const size = await bytes.read((piece) => storing.take(piece), context.signal);
    return await storing.end(size);
  } catch (error) {
    await storing.giveUp();
    throw error;
  } finally {
    hashers.whole.close();
    hashers.salted?.close();
  }
}

/** Hashers of all bytes of a file. */
interface FileHashers {
  readonly whole: StreamHasher;
  readonly salted: StreamHasher | undefined;
}

function tooLarge(): Error {
  return badRequest('A file can have at most 512 GiB in one request; a larger one needs an upload session.', {
    reason: 'invalid_manifest',
  });
}

/** Writes a file into the store, one chunk after the other. */
class Storing {
  private readonly chunks: StoredChunk[] = [];
  private current: { key: string; writer: BlobWriter; hasher: StreamHasher; size: number } | undefined;
  private size = 0;
  /** When the removal of all objects was last scheduled; undefined: never. */
  private scheduledAt: Date | undefined;
  private splitting: Promise<void> | undefined;

  constructor(
    private readonly context: SyncContext,
    private readonly hashers: FileHashers,
    private readonly allowance: Allowance,
  ) {}

  take(piece: Buffer): Promise<void> | undefined {
    this.size += piece.length;
    if (this.size > MAX_BYTES) throw tooLarge();
    if (this.size > this.allowance.maxBytes) this.allowance.check(BigInt(this.size));
    this.hashers.whole.update(piece);
    this.hashers.salted?.update(piece);
    const { current } = this;
    if (!current || current.size + piece.length > CHUNK_BYTES) return (this.splitting = this.split(piece));
    return this.write(current, piece);
  }

  async end(size: number): Promise<StoredFile> {
    if (this.chunks.length === 0 && !this.current) await this.begin();
    await this.finish();
    const { whole, salted } = this.hashers;
    const isRemovalScheduled = this.scheduledAt !== undefined;
    return { size, hash: whole.digest(), saltedHash: salted?.digest(), chunks: this.chunks, isRemovalScheduled };
  }

  /** Aborts the current object and removes the others. */
  async giveUp(): Promise<void> {
    // It may be about to open the next object.
    await this.splitting?.catch(() => undefined);
    await this.current?.writer.abort();
    this.current?.hasher.close();
    const keys = this.chunks.map((chunk) => chunk.key);
    await removeNewObjects(this.context, keys);
  }

  private write(current: NonNullable<Storing['current']>, piece: Buffer): Promise<void> | undefined {
    current.size += piece.length;
    current.hasher.update(piece);
    const written = current.writer.write(piece);
    return written === true ? undefined : written;
  }

  /** A piece that exceeds the current chunk. */
  private async split(piece: Buffer): Promise<void> {
    for (let rest = piece; rest.length > 0;) {
      if (this.current?.size === CHUNK_BYTES) await this.finish();
      const current = this.current ?? (await this.begin());
      const part = rest.subarray(0, CHUNK_BYTES - current.size);
      rest = rest.subarray(part.length);
      await this.write(current, part);
    }
  }

  private async begin(): Promise<NonNullable<Storing['current']>> {
    const { services } = this.context;
    const key = newObjectKey();
    if (this.chunks.length > 0) await this.scheduleRemoval(key);
    const writer = await services.blobs.create(key);
    this.current = { key, writer, hasher: services.hashing.stream(), size: 0 };
    return this.current;
  }

  private async finish(): Promise<void> {
    const { current } = this;
    if (!current) return;
    this.current = undefined;
    const { key, size, hasher, writer } = current;
    const hash = hasher.digest();
    await writer.commit();
    this.chunks.push({ key, size, hash });
  }

  /**
   * Schedules the removal of the objects: a long upload may outlast the time for which the cleanup keeps objects without a row.
   * While it runs, it moves the removal of all of them forward.
   */
  private async scheduleRemoval(key: string): Promise<void> {
    const { database } = this.context;
    const now = this.context.now();
    const dueAt = new Date(now.getTime() + KEPT_MS);
    const stored = () => this.chunks.map((chunk) => chunk.key);
    const isFirst = !this.scheduledAt;
    const isExtended = this.scheduledAt && now.getTime() - this.scheduledAt.getTime() >= EXTENSION_INTERVAL_MS;
    await unaudited(database).change(async (transaction) => {
      if (isExtended) await postponeRemoval(transaction, stored(), dueAt);
      await discardObjects(transaction, isFirst ? [...stored(), key] : [key], dueAt);
    });
    if (isFirst || isExtended) this.scheduledAt = now;
  }
}

const INSERT_BLOB = query(
  'insert-blob',
  (db: Tables, value: { ownerId: string; sizeBytes: string; hash: Buffer; now: Date }) =>
    db
      .insertInto('blob')
      .values({
        ownerId: value.ownerId,
        sizeBytes: value.sizeBytes,
        chunkSize: `${CHUNK_BYTES}`,
        hash: value.hash,
        createdAt: value.now,
      })
      .returning('id'),
);

interface ChunkValues {
  readonly ownerId: string;
  readonly blobId: string;
  readonly keys: readonly string[];
  readonly sizes: readonly number[];
  readonly hashes: readonly Buffer[];
}

const INSERT_CHUNKS = query(
  'insert-chunks',
  (_: Tables, { ownerId, blobId, keys, sizes, hashes }: ChunkValues) => sql`
  INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
  SELECT ${ownerId}, ${blobId}, place - 1, key, size, hash
    FROM unnest(${keys}::text[], ${sizes}::bigint[], ${hashes}::bytea[]) WITH ORDINALITY AS stored(key, size, hash, place)`,
);

/** Inserts the rows of the stored objects. @returns the id of its row in sync.blob */
export async function addBlob(
  transaction: Transaction,
  ownerId: string,
  stored: StoredFile,
  now: Date,
): Promise<string> {
  const keys = stored.chunks.map(({ key }) => key);
  if (stored.isRemovalScheduled) await keepObjects(transaction, keys);
  const [blob] = await transaction.run(INSERT_BLOB, { ownerId, sizeBytes: `${stored.size}`, hash: stored.hash, now });
  if (!blob) throw new Error('an insert returns its row');
  const sizes = stored.chunks.map(({ size }) => size);
  const hashes = stored.chunks.map(({ hash }) => hash);
  await transaction.run(INSERT_CHUNKS, { ownerId, blobId: blob.id, keys, sizes, hashes });
  return blob.id;
}
