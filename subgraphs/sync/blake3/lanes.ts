import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';

declare global {
  /** The part of the API that is used; missing in the types of Node.js. */
  namespace WebAssembly {
    class Module {
      private readonly compiled;
    }
    class Memory {
      constructor(descriptor: { readonly initial: number });
      readonly buffer: ArrayBuffer;
      /** @returns the previous number of pages */
      grow(pages: number): number;
    }
    class Instance {
      constructor(module: Module, imports: Record<string, Record<string, unknown>>);
      readonly exports: object;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

/** Bytes of a leaf of the tree. Source: BLAKE3 paper, section 2.1 */
export const LEAF_BYTES = 1024;
/** Leaves that are hashed together, which is also the size of a slot: one read of a socket. */
export const BATCH_LEAVES = 64;
const VALUE_BYTES = 32;
const BLOCK_BYTES = 64;
const SLOT_BYTES = BATCH_LEAVES * LEAF_BYTES;

const FLAGS = { leafStart: 1, leafEnd: 2, parent: 4, root: 8 } as const;
const INITIAL_VALUE = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** Addresses in the first page of the memory. All hashers share it, because each call completes before the next one. */
const INITIAL_AT = 0;
const RUNNING_AT = 64;
const BLOCK_AT = 1024;
const VALUES_AT = 4096;
const FOLDED_AT = 8192;

interface Exports {
  /** Hashes n whole leaves from `input` on; writes up to a multiple of four. */
  leaves(input: number, n: number, counter: number, output: number): void;
  /** Compresses n blocks from `input` on, each from the value at `start`. */
  blocks(input: number, n: number, start: number, counter: number, length: number, flags: number, output: number): void;
}

/**
 * BLAKE3's compressions, four at a time: one WebAssembly instance with a slot of 64 KiB for each piece that is being
 * hashed.
 */
export class Lanes {
  private readonly memory = new WebAssembly.Memory({ initial: 1 });
  private readonly exports: Exports;
  private readonly free: number[] = [];
  private bytes: Uint8Array;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, { lanes: { memory: this.memory } }).exports as Exports;
    this.bytes = new Uint8Array(this.memory.buffer);
    const view = new DataView(this.memory.buffer);
    for (const [index, word] of INITIAL_VALUE.entries()) view.setUint32(INITIAL_AT + index * 4, word, true);
  }

  /** Returns a slot for 64 KiB of input, a released one if possible. Call `release` once. */
  reserve(): number {
    const slot = this.free.pop();
    if (slot !== undefined) return slot;
    const page = this.memory.grow(1);
    this.bytes = new Uint8Array(this.memory.buffer);
    return page * SLOT_BYTES;
  }

  release(slot: number): void {
    this.free.push(slot);
  }

  /** Copies bytes into the slot; they must fit. */
  fill(slot: number, offset: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, slot + offset);
  }

  /**
   * Hashes the first, whole leaves of the slot and keeps their values for `fold`. @param first index of the first leaf
   * in the file
   */
  hashLeaves(slot: number, count: number, first: number): void {
    this.exports.leaves(slot, count, first, VALUES_AT);
  }

  /** The value of the subtree over the leaves that were hashed last; `count` is a power of two. */
  fold(index: number, count: number): Uint8Array {
    let from = VALUES_AT + index * VALUE_BYTES;
    for (let parents = count >> 1; parents > 0; parents >>= 1) {
      this.exports.blocks(from, parents, INITIAL_AT, 0, BLOCK_BYTES, FLAGS.parent, FOLDED_AT);
      from = FOLDED_AT;
    }
    return this.bytes.slice(from, from + VALUE_BYTES);
  }

  /** The value of one leaf of 0 to 1024 bytes in the slot; as the root if it is the only leaf. */
  leafValue(slot: number, { offset, length }: { offset: number; length: number }, counter: number, isRoot = false) {
    this.bytes.copyWithin(RUNNING_AT, INITIAL_AT, INITIAL_AT + VALUE_BYTES);
    const blocks = Math.max(1, Math.ceil(length / BLOCK_BYTES));
    for (let block = 0; block < blocks; block += 1) {
      const start = slot + offset + block * BLOCK_BYTES;
      const size = Math.min(BLOCK_BYTES, length - block * BLOCK_BYTES);
      this.bytes.fill(0, BLOCK_AT, BLOCK_AT + BLOCK_BYTES).copyWithin(BLOCK_AT, start, start + size);
      const end = block === blocks - 1 ? FLAGS.leafEnd | (isRoot ? FLAGS.root : 0) : 0;
      const flags = (block === 0 ? FLAGS.leafStart : 0) | end;
      this.exports.blocks(BLOCK_AT, 1, RUNNING_AT, counter, size, flags, RUNNING_AT);
    }
    return this.bytes.slice(RUNNING_AT, RUNNING_AT + VALUE_BYTES);
  }

  /** The value of a parent; as the root if it has no parent. */
  parentValue(left: Uint8Array, right: Uint8Array, isRoot = false): Uint8Array {
    this.bytes.set(left, BLOCK_AT);
    this.bytes.set(right, BLOCK_AT + VALUE_BYTES);
    const flags = FLAGS.parent | (isRoot ? FLAGS.root : 0);
    this.exports.blocks(BLOCK_AT, 1, INITIAL_AT, 0, BLOCK_BYTES, flags, FOLDED_AT);
    return this.bytes.slice(FOLDED_AT, FOLDED_AT + VALUE_BYTES);
  }
}

/** Loads the module built by `scripts/blake3-wasm.js`. */
export async function openLanes(): Promise<Lanes> {
  const file = join(packageRoot(), 'subgraphs/sync/blake3/lanes.wasm');
  return new Lanes(await WebAssembly.compile(await readFile(file)));
}
