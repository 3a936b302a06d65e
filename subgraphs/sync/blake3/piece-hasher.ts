import { BATCH_LEAVES, LEAF_BYTES, type Lanes } from './lanes.js';
import { packSubtrees, SubtreeStack, wholeSubtrees, type Subtree } from './tree.js';

/**
 * Hashes one piece of a file as a stream, without the rest of the file. Uses 64 KiB of memory until `digest` or
 * `close`.
 */
export class PieceHasher {
  private slot: number | undefined;
  private stack: SubtreeStack;
  /** Index of the first leaf in the slot. */
  private leaf = 0;
  /** Number of bytes in the slot. */
  private filled = 0;
  /** Capacity of the slot in bytes; the first time only up to the next multiple of 64 leaves. */
  private capacity = 0;

  /** @param position byte offset of the piece in the file: a multiple of 1024 below 4 TiB */
  constructor(
    private readonly lanes: Lanes,
    position: number,
  ) {
    this.stack = new SubtreeStack(lanes);
    this.reset(position);
  }

  /** Starts another piece. */
  reset(position: number): this {
    if (position % LEAF_BYTES !== 0) throw new RangeError('a piece starts at a multiple of 1024 bytes');
    this.slot ??= this.lanes.reserve();
    this.stack = new SubtreeStack(this.lanes);
    this.leaf = position / LEAF_BYTES;
    this.filled = 0;
    this.capacity = (BATCH_LEAVES - (this.leaf % BATCH_LEAVES)) * LEAF_BYTES;
    return this;
  }

  update(bytes: Uint8Array): this {
    for (let offset = 0; offset < bytes.length;) {
      // The last leaf is hashed later, because it may be the only leaf or the end of the file.
      if (this.filled === this.capacity) this.hashSlot();
      const part = bytes.subarray(offset, offset + this.capacity - this.filled);
      this.lanes.fill(this.open(), this.filled, part);
      this.filled += part.length;
      offset += part.length;
    }
    return this;
  }

  /**
   * Returns the subtree values of the piece, 32 bytes each, to be stored and combined later: one value for an aligned
   * piece whose length is a power of two, else at most two for each doubling.
   */
  digest(): Buffer {
    const isOnlyLeaf = this.leaf === 0 && this.filled <= LEAF_BYTES;
    const values = isOnlyLeaf ? this.onlyLeaf() : this.settled();
    this.close();
    return packSubtrees(values);
  }

  /** Releases the memory, even if the piece is incomplete. Safe to repeat. */
  close(): void {
    if (this.slot !== undefined) this.lanes.release(this.slot);
    this.slot = undefined;
  }

  private settled(): readonly Subtree[] {
    this.hashSlot();
    return this.stack.settle();
  }

  /** Two values: as a leaf if more bytes follow in the file, and as the root if none do. */
  private onlyLeaf(): Subtree[] {
    const extent = { offset: 0, length: this.filled };
    return [false, true].map((isRoot) => {
      return { first: 0, leaves: 1, value: this.lanes.leafValue(this.open(), extent, 0, isRoot) };
    });
  }

  private hashSlot(): void {
    const slot = this.open();
    const whole = Math.floor(this.filled / LEAF_BYTES);
    const first = this.leaf;
    if (whole > 0) this.lanes.hashLeaves(slot, whole, first);
    for (const shape of wholeSubtrees(first, whole)) {
      this.stack.push({ ...shape, value: this.lanes.fold(shape.first - first, shape.leaves) });
    }
    const length = this.filled % LEAF_BYTES;
    if (length > 0) {
      const value = this.lanes.leafValue(slot, { offset: whole * LEAF_BYTES, length }, first + whole);
      this.stack.push({ first: first + whole, leaves: 1, value });
    }
    this.leaf += whole;
    this.filled = 0;
    this.capacity = BATCH_LEAVES * LEAF_BYTES;
  }

  private open(): number {
    if (this.slot === undefined) throw new Error('a hasher that was closed takes no bytes');
    return this.slot;
  }
}
