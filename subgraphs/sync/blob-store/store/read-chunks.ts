import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { storageInconsistency } from '../../../../kernel/errors.js';
import type { Hashing } from '../../blake3/hashing.js';
import type { BlobStore, ByteRange } from './blob-store.js';

/** Chunks up to this size are prefetched; larger ones are streamed, as transfer takes longer than latency. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Maximum chunks that one reader prefetches, and their bytes. */
const MAX_PREFETCHED_CHUNKS = 16;
const MAX_PREFETCHED_BYTES = 4 * 1024 * 1024;

/** Limits for all readers of the process: memory, and sockets that downloads need too. */
const CAPACITY_CHUNKS = 128;
const CAPACITY_BYTES = 64 * 1024 * 1024;

/** A range of a chunk, with the size and hash of the whole chunk. */
export interface ChunkPart extends ByteRange {
  readonly key: string;
  readonly sizeBytes: number;
  /** BLAKE3 of the whole chunk, stored at upload. */
  readonly hash: Buffer;
}

/** Parts in the order of the file; an array, or a list that makes them when they are read. */
export interface ChunkParts {
  readonly length: number;
  at(index: number): ChunkPart | undefined;
}

/** The store to read from, and the callback for damaged chunks. */
export interface ChunkSource {
  readonly blobs: BlobStore;
  readonly hashing: Hashing;
  readonly room: PrefetchCapacity;
  readonly onDamage: (key: string) => Promise<void>;
}

/** Memory and requests that all readers together may use to prefetch; without free capacity a reader reads one chunk after the other. */
export class PrefetchCapacity {
  private chunks = 0;
  private bytes = 0;

  /** Reserves capacity; false if there is none. `give` releases it. */
  take(bytes: number): boolean {
    if (this.chunks >= CAPACITY_CHUNKS || this.bytes + bytes > CAPACITY_BYTES) return false;
    this.chunks += 1;
    this.bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.chunks -= 1;
    this.bytes -= bytes;
  }
}

/**
 * The bytes of these parts, in order. Each chunk is read whole and compared with its hash before the last requested bytes are sent,
 * also where only a part of it is requested. Small chunks are prefetched.
 * @throws storage_inconsistency
 */
export async function* readChunks(source: ChunkSource, parts: ChunkParts): AsyncGenerator<Buffer, void, undefined> {
  const prefetcher = new Prefetcher(source, parts);
  try {
    for (let place = 0, part = parts.at(0); part; part = parts.at(++place)) {
      const fetched = prefetcher.take(place);
      if (fetched) yield await fetched;
      else yield* streamPart(source, part);
    }
  } finally {
    prefetcher.close();
  }
}

interface Fetch {
  readonly bytes: Promise<Buffer>;
  readonly sizeBytes: number;
}

/** The prefetched chunks. */
class Prefetcher {
  private readonly fetches: Fetch[] = [];
  private readonly open = new Set<Readable>();
  private next = 0;
  private bytes = 0;
  private isClosed = false;

  constructor(
    private readonly source: ChunkSource,
    private readonly parts: ChunkParts,
  ) {}

  /** Returns the part at this index, in order; undefined if it was not prefetched and must be streamed. */
  take(place: number): Promise<Buffer> | undefined {
    this.fill(place);
    if (this.next <= place) {
      this.next = place + 1;
      return undefined;
    }
    const fetch = this.fetches.shift();
    return fetch?.bytes.finally(() => this.give(fetch));
  }

  /** Releases chunks that are no longer needed. */
  close(): void {
    this.isClosed = true;
    for (const stream of this.open) stream.destroy();
    for (const fetch of this.fetches.splice(0)) void fetch.bytes.catch(() => undefined).finally(() => this.give(fetch));
  }

  private fill(place: number): void {
    for (;;) {
      const part = this.parts.at(this.next);
      if (!part || this.next >= place + MAX_PREFETCHED_CHUNKS) return;
      const { sizeBytes } = part;
      const fits = sizeBytes <= MAX_CHUNK_BYTES && this.bytes + sizeBytes <= MAX_PREFETCHED_BYTES;
      if (!fits || !this.source.room.take(sizeBytes)) return;
      this.next += 1;
      this.bytes += sizeBytes;
      const bytes = this.fetch(part);
      bytes.catch(() => undefined); // `take` rethrows it
      this.fetches.push({ bytes, sizeBytes });
    }
  }

  private async fetch(part: ChunkPart): Promise<Buffer> {
    const stream = await this.source.blobs.read(part.key, { start: 0, end: part.sizeBytes });
    this.open.add(stream);
    try {
      if (this.isClosed) stream.destroy();
      const bytes = await buffer(stream);
      await check(this.source, part, this.source.hashing.stream().update(bytes).digest());
      return bytes.subarray(part.start, part.end);
    } finally {
      this.open.delete(stream);
    }
  }

  private give({ sizeBytes }: Fetch): void {
    this.bytes -= sizeBytes;
    this.source.room.give(sizeBytes);
  }
}

/** Holds back the last piece until the chunk is verified. */
async function* streamPart(source: ChunkSource, part: ChunkPart): AsyncGenerator<Buffer, void, undefined> {
  const hasher = source.hashing.stream();
  let held: Buffer | undefined;
  let offset = 0;
  try {
    const stream = await source.blobs.read(part.key, { start: 0, end: part.sizeBytes });
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      hasher.update(bytes);
      const requested = bytes.subarray(Math.max(part.start - offset, 0), Math.max(part.end - offset, 0));
      offset += bytes.length;
      if (requested.length === 0) continue;
      if (held) yield held;
      held = requested;
    }
    await check(source, part, hasher.digest());
    if (held) yield held;
  } finally {
    hasher.close();
  }
}

/** @throws storage_inconsistency for a chunk that has another hash than when it arrived */
async function check({ onDamage }: ChunkSource, part: ChunkPart, digest: Buffer): Promise<void> {
  if (digest.equals(part.hash)) return;
  await onDamage(part.key);
  const cause = new Error(`the object ${part.key} does not match its stored BLAKE3 hash`);
  throw storageInconsistency('A chunk of the file is damaged in the store.', cause);
}
