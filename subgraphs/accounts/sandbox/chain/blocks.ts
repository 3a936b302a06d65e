import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import type { AccountsRuntime } from '../../services.js';
import type { SandboxBlockRow } from '../rows.js';
import { withSandboxStore, type SandboxStore } from '../sandbox-store.js';

/** Milliseconds between two blocks. Blocks are mined only while a transfer waits for confirmations. */
const BLOCK_INTERVAL_MS = 2_000;

/** Blocks after which the substrate chain calls a block final. */
export const FINALITY_BLOCKS = 3;

/** A block of a sandbox chain. */
export type SandboxBlock = Readonly<Omit<SandboxBlockRow, 'chain'>>;

const selectBlocks = (db: Tables, chain: SandboxChainName) =>
  db.selectFrom('sandboxBlock').select(['number', 'hash', 'minedAt']).where('chain', '=', chain);

const BY_NUMBER = query('sandbox-block-by-number', (db: Tables, value: { chain: SandboxChainName; number: number }) =>
  selectBlocks(db, value.chain).where('number', '=', value.number),
);
const BY_HASH = query('sandbox-block-by-hash', (db: Tables, value: { chain: SandboxChainName; hash: string }) =>
  selectBlocks(db, value.chain).where('hash', '=', value.hash),
);
const HEAD = query('sandbox-head', (db: Tables, { chain }: { chain: SandboxChainName }) =>
  selectBlocks(db, chain)
    .select((eb) =>
      eb
        .selectFrom('sandboxTransfer as t')
        .select(sql<number | null>`max(t.block_number)`.as('max'))
        .where('t.chain', '=', chain)
        .as('lastTransferBlock'),
    )
    .orderBy('number', 'desc')
    .limit(1),
);

interface Head extends SandboxBlock {
  /** The newest block that holds a transfer. */
  readonly lastTransferBlock: number | null;
}

/** Confirmations after which a transfer is complete. */
export function requiredConfirmations(
  { services }: Pick<AccountsRuntime, 'services'>,
  chain: SandboxChainName,
): number {
  return chain === 'sandbox-evm' ? services.config.deposits.confirmations : FINALITY_BLOCKS;
}

/** The newest block; mines the blocks that are due. */
export async function newestBlock(runtime: AccountsRuntime, chain: SandboxChainName): Promise<SandboxBlock> {
  const [head] = await runtime.database.run(HEAD, { chain });
  // Avoids the lock when no block is due.
  if (head && dueBlocks(runtime, chain, head) === 0) return head;
  return withSandboxStore(runtime, null, (store) => mineDueBlocks(store, chain));
}

/** Mines the blocks that are due; the caller holds the lock of the store. Returns the newest. */
export async function mineDueBlocks(store: SandboxStore, chain: SandboxChainName): Promise<SandboxBlock> {
  const [head] = await store.transaction.run(HEAD, { chain });
  if (!head) return mine(store, chain, { from: 0, blocks: 1, firstAt: store.runtime.now() });
  const blocks = dueBlocks(store.runtime, chain, head);
  if (blocks === 0) return head;
  const firstAt = new Date(head.minedAt.getTime() + BLOCK_INTERVAL_MS);
  return mine(store, chain, { from: head.number + 1, blocks, firstAt, spacingMs: BLOCK_INTERVAL_MS });
}

function dueBlocks(runtime: AccountsRuntime, chain: SandboxChainName, head: Head): number {
  const byTime = Math.floor((runtime.now().getTime() - head.minedAt.getTime()) / BLOCK_INTERVAL_MS);
  const { number, lastTransferBlock } = head;
  const missing = lastTransferBlock === null ? 0 : lastTransferBlock + requiredConfirmations(runtime, chain) - number;
  return Math.max(0, Math.min(byTime, missing));
}

interface NewBlocks {
  readonly from: number;
  readonly blocks: number;
  readonly firstAt: Date;
  readonly spacingMs?: number;
}

const MINE = query(
  'sandbox-mine',
  (_: Tables, { chain, from, blocks, firstAt, spacingMs }: Required<NewBlocks> & { chain: SandboxChainName }) =>
    sql<SandboxBlock>`
  INSERT INTO accounts.sandbox_block (chain, number, hash, mined_at)
  SELECT ${chain}, ${from}::integer + n, '0x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
         ${firstAt}::timestamptz + n * ${spacingMs}::integer * interval '1 millisecond'
    FROM generate_series(0, ${blocks}::integer - 1) n RETURNING number, hash, mined_at AS "minedAt"`,
);

/** Adds blocks with random hashes from this number on. Returns the last. */
export async function mine(store: SandboxStore, chain: SandboxChainName, added: NewBlocks): Promise<SandboxBlock> {
  const rows = await store.transaction.run(MINE, { chain, spacingMs: 0, ...added });
  const last = rows.find(({ number }) => number === added.from + added.blocks - 1);
  if (!last) throw new Error('an insert returned no row');
  return last;
}

/** The block with this number; undefined if there is none. */
export async function blockByNumber(
  { database }: AccountsRuntime,
  chain: SandboxChainName,
  number: number,
): Promise<SandboxBlock | undefined> {
  const [block] = await database.run(BY_NUMBER, { chain, number });
  return block;
}

/** The block with this hash; undefined if the chain does not have it. */
export async function blockByHash(
  { database }: AccountsRuntime,
  chain: SandboxChainName,
  hash: string,
): Promise<SandboxBlock | undefined> {
  const [block] = await database.run(BY_HASH, { chain, hash });
  return block;
}
