import { sql } from 'kysely';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { blockByHash, blockByNumber, FINALITY_BLOCKS, newestBlock, type SandboxBlock } from './blocks.js';
import { invalidParams, textsOf, type RpcMethods } from './rpc-fault.js';

const CHAIN = 'sandbox-substrate';

/** Storage keys: twox128 of pallet and item, for accounts with the hash of the account id and the id. Source: Substrate */
const TIMESTAMP_KEY = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb';
const ACCOUNT_KEY = /^0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9[0-9a-f]{32}([0-9a-f]{64})$/;

const MAX_KEYS = 1_000;

/** The Substrate JSON-RPC methods that read balances at finalized blocks. */
export const SUBSTRATE_METHODS: RpcMethods = {
  chain_getFinalizedHead: async (runtime) => {
    const { number } = await newestBlock(runtime, CHAIN);
    return (await blockByNumber(runtime, CHAIN, Math.max(0, number - FINALITY_BLOCKS)))?.hash ?? null;
  },
  chain_getHeader: async (runtime, [hash]) => {
    const { number } = await blockAt(runtime, hash);
    return { number: `0x${number.toString(16)}` };
  },
  chain_getBlockHash: async (runtime, [number]) => {
    const head = await newestBlock(runtime, CHAIN);
    if (number == null) return head.hash;
    const isNumber = typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= head.number;
    return isNumber ? ((await blockByNumber(runtime, CHAIN, number))?.hash ?? null) : null;
  },
  state_queryStorageAt: async (runtime, [given, hash]) => {
    const keys = textsOf(given, MAX_KEYS);
    const block = await blockAt(runtime, hash);
    const balances = await balancesAt(runtime, block, keys);
    return [{ block: block.hash, changes: keys.map((key) => [key, valueOf(key, block, balances)]) }];
  },
};

async function blockAt(runtime: AccountsRuntime, hash: unknown): Promise<SandboxBlock> {
  if (hash == null) return newestBlock(runtime, CHAIN);
  const [text = ''] = textsOf(hash, 1);
  const block = await blockByHash(runtime, CHAIN, text);
  if (!block) throw invalidParams('There is no such block.');
  return block;
}

const BALANCES = query('sandbox-balances', (db: Tables, value: { until: number; accounts: readonly string[] }) =>
  db
    .selectFrom('sandboxTransfer')
    .select(['recipient', sql<string>`sum(amount)`.as('balance')])
    .where('chain', '=', CHAIN)
    .where('blockNumber', '<=', value.until)
    .where('recipient', '=', anyOf(value.accounts))
    .groupBy('recipient'),
);

async function balancesAt(
  { database }: AccountsRuntime,
  { number }: SandboxBlock,
  keys: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const accounts = keys.flatMap((key) => accountOf(key) ?? []);
  const rows = await database.run(BALANCES, { until: number, accounts });
  return new Map(rows.map(({ recipient, balance }) => [recipient, BigInt(balance)]));
}

function accountOf(key: string): string | undefined {
  return ACCOUNT_KEY.exec(key)?.[1];
}

function valueOf(key: string, { minedAt }: SandboxBlock, balances: ReadonlyMap<string, bigint>): string | null {
  if (key === TIMESTAMP_KEY) return `0x${littleEndian(BigInt(minedAt.getTime()))}`;
  const balance = balances.get(accountOf(key) ?? '');
  if (balance === undefined) return null;
  // AccountInfo: nonce, consumers, providers, sufficients; free, reserved, frozen of 64 bits; flags
  return `0x${'01000000'.repeat(4)}${littleEndian(balance)}${'00'.repeat(8 + 8 + 16)}`;
}

/** 64 bits in little-endian order, as hex digits. */
function littleEndian(value: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.toString('hex');
}
