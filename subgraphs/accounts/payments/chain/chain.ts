import type { DepositToken } from './token.rules.js';
import type { SandboxChainName } from './sandbox-chains.js';

/** Sandbox chains have their own names, so that their payments are never taken for real ones. */
export type ChainName = 'evm' | 'substrate' | SandboxChainName;

/** The job that scans a chain. */
export function watchJobName(chain: ChainName): string {
  return `watch-${chain}-deposits`;
}

/** A block: the position of a scan. */
export interface Block {
  readonly number: number;
  readonly hash: string;
}

/** A deposit address to watch. */
export interface WatchedAddress {
  readonly userId: number;
  readonly transactionId: string;
  readonly address: string;
  /** Balance at the last scan, in base units. */
  readonly observedBalance: bigint;
  readonly createdAt: Date;
}

/** The blocks from `from` to `to`, both included. */
export interface BlockRange {
  readonly from: number;
  readonly to: Block;
  /** Time of the previous scan, which ended before `from`. */
  readonly scannedAt: Date;
}

/** A payment found in a block. */
export interface FoundPayment {
  readonly userId: number;
  readonly transactionId: string;
  /** Stable id of the payment, independent of its block. */
  readonly reference: string;
  readonly token: DepositToken;
  /** In base units, above zero. */
  readonly amount: bigint;
  readonly block: Block;
  /** Time of the block; where a balance shows the payment, the earliest possible time. */
  readonly paidAt: Date;
}

/** Result of scanning a range of blocks. */
export interface ScanResult {
  readonly payments: readonly FoundPayment[];
  /** New balances of addresses; only for chains where a payment is seen as a change of balance. */
  readonly balances: ReadonlyMap<WatchedAddress, bigint>;
}

/** A chain that receives deposits, accessed by JSON-RPC. */
export interface DepositChain {
  readonly name: ChainName;
  readonly tokens: readonly DepositToken[];
  /** Required confirmations. */
  readonly confirmations: number;
  /** Blocks per request. */
  readonly rangeBlocks: number;
  /** Whether blocks returned by `head` are final. */
  readonly isFinal: boolean;
  addressOf(index: number): string;
  /** Identifies the network; fails if its tokens have unexpected properties. */
  network(): Promise<string>;
  /** The newest block that may be read. */
  head(): Promise<Block>;
  /** The hash of the block at this height; undefined if there is no such block. */
  hashAt(number: number): Promise<string | undefined>;
  /** Payments to these addresses in the blocks of the range, and in those that became confirmed with its end. */
  read(range: BlockRange, watched: readonly WatchedAddress[]): Promise<ScanResult>;
  /** Whether the payment is in this block. */
  has(payment: { readonly reference: string; readonly blockHash: string }): Promise<boolean>;
}
