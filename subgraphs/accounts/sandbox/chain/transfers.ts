import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import type { Tables } from '../../entities.js';
import type { SandboxTransferRow } from '../rows.js';
import type { SandboxStore } from '../sandbox-store.js';
import { mine, mineDueBlocks } from './blocks.js';

/** A transfer on a sandbox chain, in base units. Its block is null after a reorganisation removed it. */
export type SandboxTransfer = Readonly<Omit<SandboxTransferRow, 'id' | 'chain'>>;

interface Recipient {
  readonly chain: SandboxChainName;
  readonly recipient: string;
}

const TRANSFERS = query('sandbox-transfers', (db: Tables, value: Recipient) =>
  db
    .selectFrom('sandboxTransfer')
    .select(['hash', 'blockNumber', 'token', 'recipient', 'amount'])
    .where('chain', '=', value.chain)
    .where('recipient', '=', value.recipient)
    .orderBy('id'),
);

/** All transfers to an address, oldest first. */
export function transfersTo(
  store: SandboxStore,
  chain: SandboxChainName,
  recipient: string,
): Promise<SandboxTransfer[]> {
  return store.transaction.run(TRANSFERS, { chain, recipient });
}

/** Maximum number of transfers to one address, because a balance of the chain has 64 bits. */
const MAX_TRANSFERS = 1_000;

const COUNT = query('sandbox-transfer-count', (db: Tables, value: Recipient) =>
  db
    .selectFrom('sandboxTransfer')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('chain', '=', value.chain)
    .where('recipient', '=', value.recipient),
);
const ADD = query(
  'sandbox-transfer-add',
  (db: Tables, { chain, hash, blockNumber, token, recipient, amount }: SandboxTransfer & Recipient) =>
    db
      .insertInto('sandboxTransfer')
      .values({ chain, hash, blockNumber, token, recipient, amount })
      .onConflict((on) => on.columns(['chain', 'hash']).doNothing())
      .returning('id'),
);

/** Adds a transfer in a new block. Does nothing if the hash of the transfer exists. */
export async function sendTransfer(
  store: SandboxStore,
  chain: SandboxChainName,
  transfer: Omit<SandboxTransfer, 'blockNumber'>,
): Promise<void> {
  const [{ count } = { count: 0 }] = await store.transaction.run(COUNT, { chain, recipient: transfer.recipient });
  if (count >= MAX_TRANSFERS) return;
  const head = await mineDueBlocks(store, chain);
  const added = await store.transaction.run(ADD, { ...transfer, chain, blockNumber: head.number + 1 });
  if (added.length > 0) await mine(store, chain, { from: head.number + 1, blocks: 1, firstAt: store.runtime.now() });
}

interface Place {
  readonly chain: SandboxChainName;
  readonly hash: string;
  readonly blockNumber: number;
}

const REMOVE_BLOCKS = query('sandbox-remove-blocks', (db: Tables, value: Place) =>
  db.deleteFrom('sandboxBlock').where('chain', '=', value.chain).where('number', '>=', value.blockNumber),
);
const REMOVE_TRANSFER = query('sandbox-transfer-remove', (db: Tables, value: Place) =>
  db
    .updateTable('sandboxTransfer')
    .set({ blockNumber: null })
    .where('chain', '=', value.chain)
    .where('hash', '=', value.hash),
);

/**
 * Replaces the block of a transfer and all later blocks by a longer chain without that transfer; other transfers stay
 * in their blocks.
 */
export async function reorganise(
  store: SandboxStore,
  chain: SandboxChainName,
  { hash, blockNumber }: { readonly hash: string; readonly blockNumber: number },
): Promise<void> {
  const head = await mineDueBlocks(store, chain);
  await store.transaction.run(REMOVE_BLOCKS, { chain, hash, blockNumber });
  await store.transaction.run(REMOVE_TRANSFER, { chain, hash, blockNumber });
  const blocks = head.number - blockNumber + 2;
  await mine(store, chain, { from: blockNumber, blocks, firstAt: store.runtime.now() });
}

const SEND_AGAIN = query('sandbox-transfer-again', (db: Tables, value: Place) =>
  db
    .updateTable('sandboxTransfer')
    .set({ blockNumber: value.blockNumber })
    .where('chain', '=', value.chain)
    .where('hash', '=', value.hash)
    .where('blockNumber', 'is', null)
    .returning('id'),
);

/** Adds a transfer that a reorganisation removed to a new block. */
export async function sendAgain(store: SandboxStore, chain: SandboxChainName, hash: string): Promise<void> {
  const head = await mineDueBlocks(store, chain);
  const moved = await store.transaction.run(SEND_AGAIN, { chain, hash, blockNumber: head.number + 1 });
  if (moved.length > 0) await mine(store, chain, { from: head.number + 1, blocks: 1, firstAt: store.runtime.now() });
}
