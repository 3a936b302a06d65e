import { LEAF_BYTES, type Lanes } from './lanes.js';

const VALUE_BYTES = 32;

/** A run of leaves that is a whole subtree of the file wherever the file ends: a power of two, at a multiple of it. */
export interface Subtree {
  /** Number of its first leaf in the file. */
  readonly first: number;
  readonly leaves: number;
  readonly value: Uint8Array;
}

/** Part of a file of which the bytes are gone and the subtree values are left. */
export interface HashedPiece {
  /** Where in the file it starts, in bytes: a multiple of 1024. */
  readonly position: number;
  readonly length: number;
  /** What `PieceHasher.digest` gave. */
  readonly subtrees: Uint8Array;
}

/** Puts one value after the other: which subtrees they are follows from the position and the length of the piece. */
export function packSubtrees(subtrees: readonly Subtree[]): Buffer {
  return Buffer.concat(subtrees.map(({ value }) => value));
}

/**
 * The largest whole subtrees that leaves `first` up to `first + count` are made of, in their order. All leaves from the
 * start on are never one: should they be all there is, the root is above two halves.
 */
export function* wholeSubtrees(first: number, count: number): Generator<{ first: number; leaves: number }> {
  for (let at = first, left = count; left > 0;) {
    const most = at === 0 && count > 1 ? count - 1 : left;
    let leaves = 1;
    while (leaves * 2 <= most && at % (leaves * 2) === 0) leaves *= 2;
    yield { first: at, leaves };
    at += leaves;
    left -= leaves;
  }
}

/** The bytes' subtrees again. @throws Error when the bytes are not of such a piece */
function unpackSubtrees({ position, length, subtrees }: HashedPiece): Subtree[] {
  const shapes = [...wholeSubtrees(position / LEAF_BYTES, Math.max(1, Math.ceil(length / LEAF_BYTES)))];
  if (subtrees.length < shapes.length * VALUE_BYTES) throw new Error('subtree values do not match the piece');
  return shapes.map((shape, index) => ({
    ...shape,
    value: subtrees.subarray(index * VALUE_BYTES, (index + 1) * VALUE_BYTES),
  }));
}

/**
 * BLAKE3 of a file of which each piece was hashed alone, in any order and anywhere; the pieces come in their order in the
 * file. Costs a compression or two a piece. @throws Error when a piece is missing
 */
export function combinePieces(lanes: Lanes, pieces: Iterable<HashedPiece>): Buffer {
  const stack = new SubtreeStack(lanes);
  let end = 0;
  let only: HashedPiece | undefined;
  for (const piece of pieces) {
    if (piece.position !== end) throw new Error('the pieces of a file follow each other without a gap');
    only = end === 0 ? piece : undefined;
    end += piece.length;
    for (const subtree of unpackSubtrees(piece)) stack.push(subtree);
  }
  // A file of one leaf: its root is the leaf itself, kept after its value.
  if (only && end <= LEAF_BYTES) return Buffer.from(only.subtrees.subarray(VALUE_BYTES, 2 * VALUE_BYTES));
  return Buffer.from(stack.root());
}

/** Subtrees of a file from its start or from the middle on, joined as far as can be while more may follow. */
export class SubtreeStack {
  readonly subtrees: Subtree[] = [];

  constructor(private readonly lanes: Lanes) {}

  push(subtree: Subtree): void {
    while (this.canJoin()) this.join();
    this.subtrees.push(subtree);
  }

  /** Joins what can be joined when nothing follows in this piece, but never all leaves from the start of the file. */
  settle(): readonly Subtree[] {
    while (this.canJoin() && !(this.subtrees.length === 2 && this.subtrees[0]?.first === 0)) this.join();
    return this.subtrees;
  }

  /** The root over all, as nothing follows in the file; there are at least two. */
  root(): Uint8Array {
    while (this.subtrees.length > 2) this.join();
    const [left, right] = this.subtrees;
    if (!left || !right) throw new Error('a root is above two subtrees');
    return this.lanes.parentValue(left.value, right.value, true);
  }

  private canJoin(): boolean {
    const [left, right] = this.subtrees.slice(-2);
    return !!left && !!right && left.leaves === right.leaves && left.first % (left.leaves * 2) === 0;
  }

  private join(): void {
    const right = this.subtrees.pop();
    const left = this.subtrees.pop();
    if (!left || !right) throw new Error('two subtrees are joined');
    const value = this.lanes.parentValue(left.value, right.value);
    this.subtrees.push({ first: left.first, leaves: left.leaves + right.leaves, value });
  }
}
