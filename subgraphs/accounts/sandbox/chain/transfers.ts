import type { SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import type { DepositToken } from '../../payments/chain/token.rules.js';
import type { SandboxStore } from '../sandbox-store.js';
import { advance, mine } from './blocks.js';

/** A transfer on a sandbox chain. */
export interface SandboxTransfer {
  readonly hash: string;
  /** Null: a reorganisation has removed it. */
  readonly blockNumber: number | null;
  readonly token: DepositToken;
  readonly recipient: string;
  /** In base units. */
  readonly amount: string;
}

export const TRANSFER = 'hash, block_number AS "blockNumber", token, recipient, amount::text';

/** All transfers to an address, oldest first. */
export function transfersTo(
  desk: SandboxStore,
  chain: SandboxChainName,
  recipient: string,
): Promise<SandboxTransfer[]> {
  return desk.transaction.execute<SandboxTransfer>(
    `SELECT ${TRANSFER} FROM accounts.sandbox_transfer WHERE chain = $1 AND recipient = $2 ORDER BY id`,
    [chain, recipient],
  );
}

/** Transfers to one address; the balance of a real chain has 64 bits, which more of them could exceed. */
const MAX_TRANSFERS = 1_000;

/** Puts a transfer into a block of its own. A hash that is known already is that transfer, and nothing happens. */
export async function sendTransfer(
  desk: SandboxStore,
  chain: SandboxChainName,
  { hash, token, recipient, amount }: Omit<SandboxTransfer, 'blockNumber'>,
): Promise<void> {
  const [{ count } = { count: 0 }] = await desk.transaction.execute<{ count: number }>(
    'SELECT count(*)::integer AS count FROM accounts.sandbox_transfer WHERE chain = $1 AND recipient = $2',
    [chain, recipient],
  );
  if (count >= MAX_TRANSFERS) return;
  const head = await advance(desk, chain);
  const added = await desk.transaction.execute<object>(
    `INSERT INTO accounts.sandbox_transfer (chain, hash, block_number, token, recipient, amount)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (chain, hash) DO NOTHING RETURNING id`,
    [chain, hash, head.number + 1, token, recipient, amount],
  );
  if (added.length > 0) await mine(desk, chain, { from: head.number + 1, blocks: 1, firstAt: desk.runtime.now() });
}

/** Replaces the block of a transfer and all above it by a longer chain without it; other transfers stay where they are. */
export async function reorganise(
  desk: SandboxStore,
  chain: SandboxChainName,
  { hash, blockNumber }: { readonly hash: string; readonly blockNumber: number },
): Promise<void> {
  const head = await advance(desk, chain);
  await desk.transaction.execute('DELETE FROM accounts.sandbox_block WHERE chain = $1 AND number >= $2', [
    chain,
    blockNumber,
  ]);
  await desk.transaction.execute(
    'UPDATE accounts.sandbox_transfer SET block_number = NULL WHERE chain = $1 AND hash = $2',
    [chain, hash],
  );
  const blocks = head.number - blockNumber + 2;
  await mine(desk, chain, { from: blockNumber, blocks, firstAt: desk.runtime.now() });
}

/** Puts a transfer that a reorganisation has removed into a new block. */
export async function sendAgain(desk: SandboxStore, chain: SandboxChainName, hash: string): Promise<void> {
  const head = await advance(desk, chain);
  const moved = await desk.transaction.execute<object>(
    `UPDATE accounts.sandbox_transfer SET block_number = $3
      WHERE chain = $1 AND hash = $2 AND block_number IS NULL RETURNING id`,
    [chain, hash, head.number + 1],
  );
  if (moved.length > 0) await mine(desk, chain, { from: head.number + 1, blocks: 1, firstAt: desk.runtime.now() });
}
