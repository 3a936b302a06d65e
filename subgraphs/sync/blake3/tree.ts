import { LEAF_BYTES, type Lanes } from './lanes.js';

const VALUE_BYTES = 32;

/** Leaves that are a complete subtree wherever the file ends: a power of two, at a multiple of it. */
export interface Subtree {
  /** Index of its first leaf in the file. */
  readonly first: number;
  readonly leaves: number;
  readonly value: Uint8Array;
}

/** A hashed part of a file. */
export interface HashedPiece {
  /** Byte offset in the file: a multiple of 1024. */
  readonly position: number;
  readonly length: number;
  /** The result of `PieceHasher.digest`. */
  readonly subtrees: Uint8Array;
}

/** Concatenates the values. Their subtrees follow from the position and the length of the piece. */
export function packSubtrees(subtrees: readonly Subtree[]): Buffer {
  return Buffer.concat(subtrees.map(({ value }) => value));
}

/**
 * The largest complete subtrees of leaves `first` up to `first + count`, in order. All leaves of the file are never one
 * subtree, because the root needs two halves.
 */
export function* wholeSubtrees(first: number, count: number): Generator<{ first: number; leaves: number }> {
  for (let at = first, left = count; left > 0;) {
    const max = at === 0 && count > 1 ? count - 1 : left;
    let leaves = 1;
    while (leaves * 2 <= max && at % (leaves * 2) === 0) leaves *= 2;
    yield { first: at, leaves };
    at += leaves;
    left -= leaves;
  }
}

/** Splits the values into subtrees. @throws Error if the length does not match the piece */
function unpackSubtrees({ position, length, subtrees }: HashedPiece): Subtree[] {
  const shapes = [...wholeSubtrees(position / LEAF_BYTES, Math.max(1, Math.ceil(length / LEAF_BYTES)))];
  if (subtrees.length < shapes.length * VALUE_BYTES) throw new Error('subtree values do not match the piece');
  return shapes.map((shape, index) => ({
    ...shape,
    value: subtrees.subarray(index * VALUE_BYTES, (index + 1) * VALUE_BYTES),
  }));
}

/**
 * BLAKE3 of a file from pieces that were hashed separately; `pieces` are in the order of the file. Needs one or two
 * compressions per piece. @throws Error if a piece is missing
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
  // A file with one leaf: its root is stored after the value of the leaf.
  if (only && end <= LEAF_BYTES) return Buffer.from(only.subtrees.subarray(VALUE_BYTES, 2 * VALUE_BYTES));
  return Buffer.from(stack.root());
}

/** Subtrees of a file, joined as far as possible while more may follow. */
export class SubtreeStack {
  readonly subtrees: Subtree[] = [];

  constructor(private readonly lanes: Lanes) {}

  push(subtree: Subtree): void {
    while (this.canJoin()) this.join();
    this.subtrees.push(subtree);
  }

  /** Joins subtrees at the end of a piece, but never all leaves from the start of the file. */
  settle(): readonly Subtree[] {
    while (this.canJoin() && !(this.subtrees.length === 2 && this.subtrees[0]?.first === 0)) this.join();
    return this.subtrees;
  }

  /** The root of at least two subtrees, at the end of the file. */
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
