import type { Database, Transaction } from '../../../../../kernel/database/database.js';
import { query } from '../../../../../kernel/database/query.js';
import type { Tables } from '../../../entities.js';
import type { Block, ChainName, DepositChain } from '../../chain/chain.js';

/** Number of stored range ends. After a reorganisation the scan goes back to one of them. */
const REMEMBERED_BLOCKS = 200;

const CURSOR = query('deposit-cursor', (db: Tables, value: { chain: ChainName }) =>
  db
    .selectFrom('depositCursor')
    .select(['network', 'blockNumber as number', 'blockHash as hash', 'updatedAt as scannedAt'])
    .where('chain', '=', value.chain),
);

/** The last scanned block of a chain, its network, and when it was scanned. */
export async function cursorOf(database: Database, chain: ChainName) {
  const [cursor] = await database.run(CURSOR, { chain });
  return cursor;
}

/** A block of a chain. */
export type Position = Block & { readonly chain: ChainName };

const OPEN_CURSOR = query('deposit-open-cursor', (db: Tables, value: Position & { network: string; now: Date }) =>
  db
    .insertInto('depositCursor')
    .values({
      chain: value.chain,
      network: value.network,
      blockNumber: value.number,
      blockHash: value.hash,
      updatedAt: value.now,
    })
    .onConflict((on) => on.doNothing())
    .returning('chain'),
);

/** Starts the scan at the head of the chain, unless there is a cursor. @throws Error when the node does not answer */
export async function openCursor(database: Database, chain: DepositChain, now: Date): Promise<void> {
  if (await cursorOf(database, chain.name)) return;
  const network = await chain.network();
  const head = await chain.head();
  await database.change(async (transaction) => {
    const added = await transaction.run(OPEN_CURSOR, { chain: chain.name, network, ...head, now });
    if (added.length > 0) await rememberBlock(transaction, chain, head);
  });
}

const MOVE_CURSOR = query(
  'deposit-move-cursor',
  (db: Tables, value: Position & { fromNumber: number; fromHash: string; now: Date }) =>
    db
      .updateTable('depositCursor')
      .set({ blockNumber: value.number, blockHash: value.hash, updatedAt: value.now })
      .where('chain', '=', value.chain)
      .where('blockNumber', '=', value.fromNumber)
      .where('blockHash', '=', value.fromHash)
      .returning('chain'),
);

/** Moves the cursor, unless another process has moved it. */
export async function moveCursor(
  transaction: Transaction,
  chain: DepositChain,
  { from, to, now }: { readonly from: Block; readonly to: Block; readonly now: Date },
): Promise<boolean> {
  const before = { fromNumber: from.number, fromHash: from.hash };
  const moved = await transaction.run(MOVE_CURSOR, { chain: chain.name, ...to, ...before, now });
  return moved.length > 0;
}

const REMEMBER = query('deposit-store-block', (db: Tables, value: Position) =>
  db
    .insertInto('depositBlock')
    .values({ chain: value.chain, blockNumber: value.number, blockHash: value.hash })
    .onConflict((on) =>
      on.columns(['chain', 'blockNumber']).doUpdateSet((eb) => ({ blockHash: eb.ref('excluded.blockHash') })),
    ),
);
const DELETE_OLD = query('deposit-delete-old-blocks', (db: Tables, value: { chain: ChainName }) =>
  db
    .deleteFrom('depositBlock')
    .where('chain', '=', value.chain)
    .where('blockNumber', '<=', (part) =>
      part
        .selectFrom('depositBlock')
        .select('blockNumber')
        .where('chain', '=', value.chain)
        .orderBy('blockNumber', 'desc')
        .offset(REMEMBERED_BLOCKS)
        .limit(1),
    ),
);

/** Stores the end of a range and deletes the oldest ones. */
export async function rememberBlock(transaction: Transaction, chain: DepositChain, block: Block): Promise<void> {
  await transaction.run(REMEMBER, { chain: chain.name, ...block });
  await transaction.run(DELETE_OLD, { chain: chain.name });
}
