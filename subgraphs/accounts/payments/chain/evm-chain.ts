import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { TOKEN_DECIMALS, type DepositToken } from './token.rules.js';
import type { Block, BlockRange, ChainName, DepositChain, ScanResult, FoundPayment, WatchedAddress } from './chain.js';
import { evmAddress, type EvmKey } from './evm-address.rules.js';
import type { JsonRpc } from './json-rpc.js';

/** keccak256 of `Transfer(address,address,uint256)`. Source: ERC-20 */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The selector of `decimals()`. Source: ERC-20 */
const DECIMALS = '0x313ce567';

/** Maximum number of addresses in one call. */
const ADDRESSES_PER_CALL = 500;

/**
 * Above this number of addresses, all transfers of our tokens are read: the requests by address would be too many. Not of more blocks
 * than these, e.g. after an outage, because the answers would be too large.
 */
const MAX_ADDRESSES = 1_000;
const MAX_BLOCKS_OF_ALL = 100;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

interface Receipt {
  readonly status: string;
  readonly blockHash: string;
  readonly logs: readonly { readonly logIndex: string }[];
}

export interface EvmChainOptions {
  /** Default: `evm`. */
  readonly name?: ChainName;
  readonly rpc: JsonRpc;
  readonly key: EvmKey;
  readonly contracts: ReadonlyMap<DepositToken, string>;
  readonly confirmations: number;
}

/** USDC and USDT as ERC-20 tokens. Payments are Transfer logs of their contracts to our addresses. */
export class EvmChain implements DepositChain {
  readonly name: ChainName;
  readonly rangeBlocks = 1_000;
  readonly isFinal = false;
  readonly tokens: readonly DepositToken[];
  readonly confirmations: number;
  private readonly rpc: JsonRpc;
  private readonly tokenOf: ReadonlyMap<string, DepositToken>;
  private areTokensChecked = false;

  constructor(private readonly options: EvmChainOptions) {
    this.name = options.name ?? 'evm';
    this.rpc = options.rpc;
    this.confirmations = options.confirmations;
    this.tokens = [...options.contracts.keys()];
    this.tokenOf = new Map([...options.contracts].map(([token, contract]) => [contract.toLowerCase(), token]));
  }

  addressOf(index: number): string {
    return evmAddress(this.options.key, index);
  }

  async network(): Promise<string> {
    if (!this.areTokensChecked) await this.checkTokens();
    return `eip155:${Number(await this.rpc.call<string>('eth_chainId', []))}`;
  }

  /**
   * The same token has 6 decimals on one network and 18 on another. A wrong contract would credit a million times too
   * much.
   */
  private async checkTokens(): Promise<void> {
    for (const [contract, token] of this.tokenOf) {
      const answer = await this.rpc.call<string>('eth_call', [{ to: contract, data: DECIMALS }, 'latest']);
      if (!/^0x[0-9a-f]{64}$/i.test(answer) || BigInt(answer) !== BigInt(TOKEN_DECIMALS[token]))
        throw new Error(`the contract of ${token} is no token of ${TOKEN_DECIMALS[token]} decimal places`);
    }
    this.areTokensChecked = true;
  }

  async head(): Promise<Block> {
    const { number, hash } = await this.rpc.call<{ number: string; hash: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    return { number: Number(number), hash };
  }

  async hashAt(number: number): Promise<string | undefined> {
    return (await this.blockAt(toHex(number)))?.hash;
  }

  private blockAt(number: string): Promise<{ hash: string; timestamp: string } | null> {
    return this.rpc.call('eth_getBlockByNumber', [number, false]);
  }

  /**
   * Every block is read again when it is confirmed: of several nodes at one URL, one that does not have the newest block yet
   * may answer with no logs instead of an error. Neither request covers more blocks than the range.
   */
  async read({ from, to }: BlockRange, watched: readonly WatchedAddress[]): Promise<ScanResult> {
    const byTopic = new Map(watched.map((one) => [topicOf(one.address), one]));
    const confirmed = to.number - this.confirmations;
    const again = await this.logsOf(Math.max(0, from - this.confirmations), confirmed, byTopic);
    const logs = await this.logsOf(Math.max(from, confirmed + 1), to.number, byTopic);
    const payments: FoundPayment[] = [];
    for (const log of [...again, ...logs]) payments.push(...(await this.paymentsIn(log, byTopic)));
    return { payments, balances: new Map() };
  }

  /** The transfers of our tokens to these addresses; none for an empty range. */
  private async logsOf(from: number, to: number, byTopic: ReadonlyMap<string, WatchedAddress>): Promise<Log[]> {
    if (from > to) return [];
    const blocks = { fromBlock: toHex(from), toBlock: toHex(to), address: [...this.tokenOf.keys()] };
    const found: Log[][] = [];
    for (const topics of topicsOf([...byTopic.keys()], to - from + 1))
      found.push(await this.rpc.call<Log[]>('eth_getLogs', [{ ...blocks, topics }]));
    return found.flat().filter(({ topics }) => byTopic.has(topics[2]?.toLowerCase() ?? ''));
  }

  /** The payment in a log; none if the log is not a payment to us. */
  private async paymentsIn(log: Log, byTopic: ReadonlyMap<string, WatchedAddress>): Promise<FoundPayment[]> {
    const token = this.tokenOf.get(log.address.toLowerCase());
    const watched = byTopic.get(log.topics[2]?.toLowerCase() ?? '');
    const amount = BigInt(log.data);
    if (!token || !watched || amount === 0n || log.removed) return [];
    const place = await this.placeOf(log);
    const reference = `${log.transactionHash.toLowerCase()}:${place.index}`;
    const block = { number: Number(log.blockNumber), hash: log.blockHash };
    const { userId, transactionId } = watched;
    return [{ userId, transactionId, reference, token, amount, block, paidAt: place.time }];
  }

  /**
   * The index of a log within its transaction, which a reorganisation does not change, and the time of its block.
   * @throws Error if the receipt or the block is not that of the log: after a reorganisation, or where another node at the
   * URL is behind. The range must be read again, because a stored range is not.
   */
  private async placeOf(log: Log): Promise<{ readonly index: number; readonly time: Date }> {
    const [receipt, block] = await Promise.all([this.receipt(log.transactionHash), this.blockAt(log.blockNumber)]);
    if (receipt?.blockHash !== log.blockHash || block?.hash !== log.blockHash)
      throw new Error(`the node has a transfer in block ${Number(log.blockNumber)}, but not its receipt or block`);
    const first = Math.min(...receipt.logs.map(({ logIndex }) => Number(logIndex)));
    return { index: Number(log.logIndex) - first, time: new Date(Number(block.timestamp) * 1000) };
  }

  private receipt(transactionHash: string): Promise<Receipt | null> {
    return this.rpc.call('eth_getTransactionReceipt', [transactionHash]);
  }

  async has({ reference, blockHash }: { readonly reference: string; readonly blockHash: string }): Promise<boolean> {
    const receipt = await this.receipt(reference.split(':')[0] ?? '');
    return receipt?.blockHash === blockHash && Number(receipt.status) === 1;
  }
}

/** The topics of each request for the transfers to these addresses. */
function topicsOf(addresses: readonly string[], blocks: number): unknown[][] {
  if (addresses.length > MAX_ADDRESSES && blocks <= MAX_BLOCKS_OF_ALL) return [[TRANSFER]];
  const parts = Array.from({ length: Math.ceil(addresses.length / ADDRESSES_PER_CALL) }, (_, part) =>
    addresses.slice(part * ADDRESSES_PER_CALL, (part + 1) * ADDRESSES_PER_CALL),
  );
  return parts.map((part) => [TRANSFER, null, part]);
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`;
}

/** An address as a log contains it: 32 bytes. */
function topicOf(address: string): string {
  const topic = new Uint8Array(32);
  topic.set(hexToBytes(address.slice(2)), 12);
  return `0x${bytesToHex(topic)}`;
}
