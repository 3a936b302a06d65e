import { LEAF_BYTES, type Lanes } from './lanes.js';
import { PieceHasher } from './piece-hasher.js';
import type { HashedPiece } from './tree.js';

/** A part of a file at any byte offset. */
interface Extent {
  /** Byte offset in the file. */
  readonly position: number;
  readonly length: number;
}

/** Returns the range of whole leaves in the piece, as offsets in it; start equals end if there are none. */
function wholeLeaves({ position, length }: Extent): { start: number; end: number } {
  const start = Math.min(length, (LEAF_BYTES - (position % LEAF_BYTES)) % LEAF_BYTES);
  return { start, end: length - ((length - start) % LEAF_BYTES) };
}

/**
 * Hashes one piece at any position as a stream. `digest` returns the bytes before the first whole leaf, the subtree values of the
 * whole leaves, and the bytes after them.
 */
export class EdgedPieceHasher {
  private readonly head: Buffer;
  private readonly tail: Buffer;
  private readonly leaves: PieceHasher | undefined;
  private readonly start: number;
  private readonly end: number;
  private readonly length: number;
  private at = 0;

  constructor(lanes: Lanes, extent: Extent) {
    const { start, end } = wholeLeaves(extent);
    [this.start, this.end, this.length] = [start, end, extent.length];
    [this.head, this.tail] = [Buffer.alloc(start), Buffer.alloc(extent.length - end)];
    if (end > start) this.leaves = new PieceHasher(lanes, extent.position + start);
  }

  update(bytes: Uint8Array): this {
    const [at, next] = [this.at, this.at + bytes.length];
    const between = (from: number, to: number) => bytes.subarray(Math.max(0, from - at), Math.max(0, to - at));
    if (at < this.start) this.head.set(between(0, this.start), at);
    if (next > this.start && at < this.end) this.leaves?.update(between(this.start, this.end));
    if (next > this.end) this.tail.set(between(this.end, next), Math.max(0, at - this.end));
    this.at = next;
    return this;
  }

  /** @throws when the bytes of all updates are not as many as the piece has */
  digest(): Buffer {
    if (this.at !== this.length) throw new Error(`a piece of ${this.length} bytes was given ${this.at}`);
    return Buffer.concat([this.head, this.leaves?.digest() ?? Buffer.alloc(0), this.tail]);
  }

  /** Releases the memory, even if the piece is incomplete. Safe to repeat. */
  close(): void {
    this.leaves?.close();
  }
}

/** Turns pieces at any position into pieces of whole leaves: hashes the leaves that lie in several of them. */
export function* joinEdges(lanes: Lanes, pieces: Iterable<HashedPiece>): Generator<HashedPiece> {
  let rest: Uint8Array = Buffer.alloc(0);
  let position = 0;
  for (const piece of pieces) {
    const { start, end } = wholeLeaves(piece);
    const tailLength = piece.length - end;
    const tailAt = piece.subtrees.length - tailLength;
    if (tailAt < start) throw new Error('subtree values do not match the piece');
    rest = Buffer.concat([rest, piece.subtrees.subarray(0, start)]);
    if (rest.length === LEAF_BYTES) {
      yield hashedLeaf(lanes, position, rest);
      rest = Buffer.alloc(0);
    }
    if (end > start)
      yield { position: piece.position + start, length: end - start, subtrees: piece.subtrees.subarray(start, tailAt) };
    if (tailLength > 0) rest = Buffer.concat([rest, piece.subtrees.subarray(tailAt)]);
    position = piece.position + piece.length - rest.length;
  }
  if (rest.length > 0) yield hashedLeaf(lanes, position, rest);
}

function hashedLeaf(lanes: Lanes, position: number, bytes: Uint8Array): HashedPiece {
  return { position, length: bytes.length, subtrees: new PieceHasher(lanes, position).update(bytes).digest() };
}
