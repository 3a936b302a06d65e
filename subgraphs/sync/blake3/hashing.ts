import { openLanes, type Lanes } from './lanes.js';
import { PieceHasher } from './piece-hasher.js';
import { combinePieces, type HashedPiece } from './tree.js';

/** BLAKE3 of bytes that come in their order. Call `digest` or `close` once it is done. */
export interface StreamHasher {
  update(bytes: Uint8Array): this;
  /** The 32 bytes. */
  digest(): Buffer;
  /** Gives up what it holds, where it holds something. */
  close(): void;
}

/** BLAKE3 in all the ways the uploads need. Not tied to a file: one for all uploads of the process. */
export interface Hashing {
  /** Hashes a piece that starts so many bytes into its file, a multiple of 1024. */
  piece(position: number): PieceHasher;
  /** Hashes a whole stream. */
  stream(): StreamHasher;
  /** BLAKE3 of a file from the values of its pieces, in their order. @throws Error when one is missing */
  combine(pieces: Iterable<HashedPiece>): Buffer;
}

/** What makes hashers of whole streams. */
type MakeStream = () => StreamHasher;

/** Loads the WebAssembly, and for whole streams the native module where this machine has it. */
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
    stream,
    combine: (pieces) => combinePieces(lanes, pieces),
  };
}

/** An optional package: machines without a build of it do without. */
async function nativeStreams(): Promise<MakeStream | undefined> {
  const native = await import('@napi-rs/blake-hash').catch(() => undefined);
  if (!native) return undefined;
  return () => {
    const hasher = new native.Blake3Hasher();
    return {
      update(bytes) {
        // It takes Buffers: the same memory, seen as one.
        hasher.update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        return this;
      },
      digest: () => hasher.digestBuffer(),
      close: () => undefined,
    };
  };
}

/** A whole stream as the one piece of its file. */
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
