import type { DepositToken } from './token.rules.js';
import type { SandboxChainName } from './sandbox-chains.js';

/** Those of the sandbox have names of their own, so that nothing of them is taken for real later. */
export type ChainName = 'evm' | 'substrate' | SandboxChainName;

/** The job that watches a chain. */
export function watchJobName(chain: ChainName): string {
  return `watch-${chain}-deposits`;
}

/** A block, by which a reader knows where it is. */
export interface Block {
  readonly number: number;
  readonly hash: string;
}

/** An address that somebody may pay to. */
export interface WatchedAddress {
  readonly transactionId: string;
  readonly address: string;
  /** What the chain said it holds when it was read last, in base units. */
  readonly observedBalance: bigint;
}

/** A payment that a block holds. */
export interface Sighting {
  readonly transactionId: string;
  /** The same payment has the same, whatever block it is in. */
  readonly reference: string;
  readonly token: DepositToken;
  /** In base units, above zero. */
  readonly amount: bigint;
  readonly block: Block;
  readonly paidAt: Date;
}

/** What a range of blocks brought. */
export interface Findings {
  readonly sightings: readonly Sighting[];
  /** Addresses whose balance is another, by transaction; for chains where payments are told by it. */
  readonly balances: ReadonlyMap<string, bigint>;
}

/** A chain that deposits arrive on, through its own JSON-RPC. */
export interface DepositChain {
  readonly name: ChainName;
  readonly tokens: readonly DepositToken[];
  /** Blocks on top of a payment before it counts. */
  readonly confirmations: number;
  /** Blocks that are read at once. */
  readonly rangeBlocks: number;
  /** Whether blocks that `head` tells of never change. */
  readonly isFinal: boolean;
  addressOf(index: number): string;
  /** What tells this network from another; fails where its tokens are not what they should be. */
  network(): Promise<string>;
  /** The newest block that may be read. */
  head(): Promise<Block>;
  /** The hash of the block of this height; undefined when there is none. */
  hashAt(number: number): Promise<string | undefined>;
  /** Payments to these addresses in the blocks from `from` to `to`, both included. */
  read(from: number, to: Block, watched: readonly WatchedAddress[]): Promise<Findings>;
  /** Whether the payment stands in this very block. */
  holds(sighting: { readonly reference: string; readonly blockHash: string }): Promise<boolean>;
}
