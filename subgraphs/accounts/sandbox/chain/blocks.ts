import type { Statement } from '../../../../kernel/database/database.js';
import type { SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import type { AccountsRuntime } from '../../services.js';
import { withSandboxStore, type SandboxStore } from '../sandbox-store.js';

/** Milliseconds between two blocks while a transfer is confirmed; then the chain rests. */
const BLOCK_MS = 2_000;

/** Blocks on top of one before the substrate chain calls it final. */
export const FINALITY_BLOCKS = 3;

/** A block of a sandbox chain. */
export interface SandboxBlock {
  readonly number: number;
  readonly hash: string;
  readonly minedAt: Date;
}

const BLOCK = 'number, hash, mined_at AS "minedAt"';
const BY_NUMBER: Statement = {
  name: 'sandbox-block-by-number',
  text: `SELECT ${BLOCK} FROM accounts.sandbox_block WHERE chain = $1 AND number = $2`,
};
const BY_HASH: Statement = {
  name: 'sandbox-block-by-hash',
  text: `SELECT ${BLOCK} FROM accounts.sandbox_block WHERE chain = $1 AND hash = $2`,
};
const HEAD: Statement = {
  name: 'sandbox-head',
  text: `SELECT ${BLOCK}, (SELECT max(block_number) FROM accounts.sandbox_transfer WHERE chain = $1) AS "lastTransfer"
           FROM accounts.sandbox_block WHERE chain = $1 ORDER BY number DESC LIMIT 1`,
};

interface Head extends SandboxBlock {
  /** The newest block that holds a transfer. */
  readonly lastTransfer: number | null;
}

/** Blocks on top of a transfer after which nothing more happens to it. */
export function depthOf({ services }: Pick<AccountsRuntime, 'services'>, chain: SandboxChainName): number {
  return chain === 'sandbox-evm' ? services.config.deposits.confirmations : FINALITY_BLOCKS;
}

/** The newest block. The first to ask after the time of a block has come mines it. */
export async function newestBlock(runtime: AccountsRuntime, chain: SandboxChainName): Promise<SandboxBlock> {
  const [head] = await runtime.database.rows<Head>(HEAD, [chain]);
  if (head && dueBlocks(runtime, chain, head) === 0) return head;
  return withSandboxStore(runtime, null, (desk) => advance(desk, chain));
}

/** Mines the blocks whose time has come; the desk holds its lock. Returns the newest. */
export async function advance(desk: SandboxStore, chain: SandboxChainName): Promise<SandboxBlock> {
  const [head] = await desk.transaction.execute<Head>(HEAD.text, [chain]);
  if (!head) return mine(desk, chain, { from: 0, blocks: 1, firstAt: desk.runtime.now() });
  const blocks = dueBlocks(desk.runtime, chain, head);
  if (blocks === 0) return head;
  const firstAt = new Date(head.minedAt.getTime() + BLOCK_MS);
  return mine(desk, chain, { from: head.number + 1, blocks, firstAt, spacingMs: BLOCK_MS });
}

function dueBlocks(runtime: AccountsRuntime, chain: SandboxChainName, head: Head): number {
  const byTime = Math.floor((runtime.now().getTime() - head.minedAt.getTime()) / BLOCK_MS);
  const missing = head.lastTransfer === null ? 0 : head.lastTransfer + depthOf(runtime, chain) - head.number;
  return Math.max(0, Math.min(byTime, missing));
}

/** Adds blocks from this number on, of random hashes. Returns the last. */
export async function mine(
  desk: SandboxStore,
  chain: SandboxChainName,
  added: { readonly from: number; readonly blocks: number; readonly firstAt: Date; readonly spacingMs?: number },
): Promise<SandboxBlock> {
  const { from, blocks, firstAt, spacingMs = 0 } = added;
  const rows = await desk.transaction.execute<SandboxBlock>(
    `INSERT INTO accounts.sandbox_block (chain, number, hash, mined_at)
     SELECT $1, $2::integer + n, '0x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
            $4::timestamptz + n * $5::integer * interval '1 millisecond'
       FROM generate_series(0, $3::integer - 1) n RETURNING ${BLOCK}`,
    [chain, from, blocks, firstAt, spacingMs],
  );
  const last = rows.find(({ number }) => number === from + blocks - 1);
  if (!last) throw new Error('an insert returned no row');
  return last;
}

/** The block of this number, if there is one. */
export async function blockNumbered(
  { database }: AccountsRuntime,
  chain: SandboxChainName,
  number: number,
): Promise<SandboxBlock | undefined> {
  const [block] = await database.rows<SandboxBlock>(BY_NUMBER, [chain, number]);
  return block;
}

/** The block of this hash, if the chain still has it. */
export async function blockHashed(
  { database }: AccountsRuntime,
  chain: SandboxChainName,
  hash: string,
): Promise<SandboxBlock | undefined> {
  const [block] = await database.rows<SandboxBlock>(BY_HASH, [chain, hash]);
  return block;
}
