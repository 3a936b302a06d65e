import { EdgedPieceHasher, joinEdges } from './edges.js';
import { openLanes, type Lanes } from './lanes.js';
import { PieceHasher } from './piece-hasher.js';
import { combinePieces, type HashedPiece } from './tree.js';

/** Hashes a stream of bytes in order. Call `digest` or `close` at the end. */
export interface StreamHasher {
  update(bytes: Uint8Array): this;
  /** The 32 bytes. */
  digest(): Buffer;
  /** Frees its memory. Safe to repeat. */
  close(): void;
}

/** The BLAKE3 functions that uploads need; shared by all uploads of the process. */
export interface Hashing {
  /** Hashes a piece that starts at this byte offset of its file, a multiple of 1024. */
  piece(position: number): PieceHasher;
  /** Hashes a piece at any position. */
  edgedPiece(position: number, length: number): EdgedPieceHasher;
  /** Hashes a whole stream. */
  stream(): StreamHasher;
  /** BLAKE3 of a file from the values of its pieces, in order. @throws Error when one is missing */
  combine(pieces: Iterable<HashedPiece>): Buffer;
  /** The same for edged pieces. */
  combineEdged(pieces: Iterable<HashedPiece>): Buffer;
}

/** Creates hashers of whole streams. */
type MakeStream = () => StreamHasher;

/** Loads the WebAssembly module, and the native module for whole streams if this machine has it. */
export async function openHashing(): Promise<Hashing> {
  const lanes = await openLanes();
  const stream = (await nativeStreams()) ?? (() => new WholeHasher(lanes));
  return hashingOf(lanes, stream);
}

/** The same without a native module. */
export async function openPortableHashing(): Promise<Hashing> {
  const lanes = await openLanes();
  return hashingOf(lanes, () => new WholeHasher(lanes));
}

function hashingOf(lanes: Lanes, stream: MakeStream): Hashing {
  return {
    piece: (position) => new PieceHasher(lanes, position),
    edgedPiece: (position, length) => new EdgedPieceHasher(lanes, { position, length }),
    stream,
    combine: (pieces) => combinePieces(lanes, pieces),
    combineEdged: (pieces) => combinePieces(lanes, joinEdges(lanes, pieces)),
  };
}

/** An optional package: not every machine has a build of it. */
async function nativeStreams(): Promise<MakeStream | undefined> {
  const native = await import('@napi-rs/blake-hash').catch(() => undefined);
  if (!native) return undefined;
  return () => {
    const hasher = new native.Blake3Hasher();
    return {
      update(bytes) {
        // It accepts only Buffers; this one shares the memory.
        hasher.update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        return this;
      },
      digest: () => hasher.digestBuffer(),
      close: () => undefined,
    };
  };
}

/** Hashes a whole stream as a file with one piece. */
class WholeHasher implements StreamHasher {
  private readonly piece: PieceHasher;
  private length = 0;

  constructor(private readonly lanes: Lanes) {
    this.piece = new PieceHasher(lanes, 0);
  }

  update(bytes: Uint8Array): this {
    this.piece.update(bytes);
    this.length += bytes.length;
    return this;
  }

  digest(): Buffer {
    return combinePieces(this.lanes, [{ position: 0, length: this.length, subtrees: this.piece.digest() }]);
  }

  close(): void {
    this.piece.close();
  }
}
