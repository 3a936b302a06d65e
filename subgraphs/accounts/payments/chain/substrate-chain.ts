import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeAddress } from '@polkadot/util-crypto/address/decode';
import { blake2AsU8a } from '@polkadot/util-crypto/blake2/asU8a';
import { xxhashAsU8a } from '@polkadot/util-crypto/xxhash/asU8a';
import type { Block, BlockRange, ChainName, DepositChain, ScanResult, FoundPayment, WatchedAddress } from './chain.js';
import { finalizedHead, type JsonRpc } from './json-rpc.js';
import { substrateAddress } from './substrate-address.rules.js';

/** Maximum number of storage keys in one call. */
const KEYS_PER_CALL = 500;

/**
 * A payment counts as made just after the previous scan, so that its quoted price holds while the node or this server was away.
 * Maximum milliseconds before the block: a quote is no option on the price.
 */
const MAX_BACKDATED_MS = 6 * 3_600_000;

/** Bytes of AccountInfo before the free balance: nonce, consumers, providers, sufficients. Source: frame_system */
const BEFORE_FREE_BYTES = 16;

/** Bytes of AccountInfo by the width of a balance, which each chain chooses: three balances and 16 bytes of flags. */
const BALANCE_BYTES_BY_LENGTH: Readonly<Record<number, number>> = { 56: 8, 80: 16 };

type StorageChanges = readonly { readonly changes: readonly (readonly [string, string | null])[] }[];

const TIMESTAMP_KEY = storageKey('Timestamp', 'Now');

/**
 * TAO payments, detected as changes of the balance of an address at finalized heads. A higher balance is a payment of
 * the difference. A lower balance means that the operator moved funds, and is the base for the next payment. Two
 * payments between two scans count as one.
 */
export class SubstrateChain implements DepositChain {
  readonly tokens = ['TAO'] as const;
  readonly confirmations = 0;
  readonly rangeBlocks = Number.MAX_SAFE_INTEGER;
  readonly isFinal = true;

  constructor(
    private readonly rpc: JsonRpc,
    private readonly publicKey: string,
    readonly name: ChainName = 'substrate',
  ) {}

  addressOf(index: number): string {
    return substrateAddress(this.publicKey, index);
  }

  async network(): Promise<string> {
    return `genesis:${await this.hashAt(0)}`;
  }

  async head(): Promise<Block> {
    return finalizedHead(this.rpc);
  }

  async hashAt(number: number): Promise<string | undefined> {
    return (await this.rpc.call<string | null>('chain_getBlockHash', [number])) ?? undefined;
  }

  async read({ to, scannedAt }: BlockRange, watched: readonly WatchedAddress[]): Promise<ScanResult> {
    const payments: FoundPayment[] = [];
    const balances = new Map<WatchedAddress, bigint>();
    for (let start = 0; start < watched.length; start += KEYS_PER_CALL) {
      const part = watched.slice(start, start + KEYS_PER_CALL);
      const values = await this.storage([TIMESTAMP_KEY, ...part.map(({ address }) => accountKey(address))], to);
      const blockMs = Number(littleEndian(bytesOf(values.get(TIMESTAMP_KEY))));
      const earliestMs = Math.min(blockMs, Math.max(scannedAt.getTime(), blockMs - MAX_BACKDATED_MS));
      for (const one of part) {
        const { userId, transactionId, address, observedBalance, createdAt } = one;
        const balance = freeBalance(bytesOf(values.get(accountKey(address))));
        if (balance === observedBalance) continue;
        balances.set(one, balance);
        const amount = balance - observedBalance;
        if (amount < 0n) continue;
        const reference = `${address}:${to.number}`;
        const paidAt = new Date(Math.max(createdAt.getTime(), earliestMs));
        payments.push({ userId, transactionId, reference, token: 'TAO', amount, block: to, paidAt });
      }
    }
    return { payments, balances };
  }

  private async storage(keys: readonly string[], at: Block): Promise<Map<string, string | null>> {
    const answer = await this.rpc.call<StorageChanges>('state_queryStorageAt', [keys, at.hash]);
    const values = new Map(answer.flatMap(({ changes }) => changes));
    // A missing key does not mean that the balance is zero.
    if (keys.some((key) => !values.has(key))) throw new Error('state_queryStorageAt: the answer leaves out a key');
    return values;
  }

  /** Finalized blocks are never removed. */
  has(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

function storageKey(pallet: string, item: string): string {
  return `0x${bytesToHex(concatBytes(xxhashAsU8a(pallet, 128), xxhashAsU8a(item, 128)))}`;
}

/** The key of System.Account: Blake2_128Concat of the account id. */
function accountKey(address: string): string {
  const id = decodeAddress(address);
  return `${storageKey('System', 'Account')}${bytesToHex(concatBytes(blake2AsU8a(id, 128), id))}`;
}

function bytesOf(hex: string | null | undefined): Uint8Array {
  return hex == null ? utf8ToBytes('') : hexToBytes(hex.slice(2));
}

/** The free balance of an AccountInfo; 0 for an account that does not exist. */
function freeBalance(info: Uint8Array): bigint {
  if (info.length === 0) return 0n;
  const width = BALANCE_BYTES_BY_LENGTH[info.length];
  if (width === undefined) throw new Error(`System.Account has ${info.length} bytes, which is no form known here`);
  return littleEndian(info.subarray(BEFORE_FREE_BYTES, BEFORE_FREE_BYTES + width));
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
}
