import type { Database } from '../../../../../kernel/database/database.js';
import { query } from '../../../../../kernel/database/query.js';
import type { Tables } from '../../../entities.js';
import type { AccountsRuntime } from '../../../services.js';
import type {
  Block,
  BlockRange,
  ChainName,
  DepositChain,
  ScanResult,
  FoundPayment,
  WatchedAddress,
} from '../../chain/chain.js';
import { RpcError } from '../../chain/json-rpc.js';
import { WATCH_TTL_MS } from '../deposit.rules.js';
import { cursorOf, moveCursor, openCursor, rememberBlock, type Position } from './cursor.actions.js';

/** Maximum number of ranges in one run; the next run continues. */
const STEPS_PER_RUN = 100;

type Scan = Pick<AccountsRuntime, 'database' | 'log' | 'now'>;

/**
 * Scans a chain up to its head and stores payments to our addresses. Safe to run concurrently: the first run stores a
 * range. @returns the head, and whether everything below it was scanned @throws Error when the node does not answer or
 * serves another network
 */
export async function scanChain(scan: Scan, chain: DepositChain): Promise<{ head: Block; isComplete: boolean }> {
  await openCursor(scan.database, chain, scan.now());
  const network = await chain.network();
  const head = await chain.head();
  let { rangeBlocks } = chain;
  let watched: readonly WatchedAddress[] | undefined;
  for (let step = 0; step < STEPS_PER_RUN; step++) {
    const cursor = await cursorOf(scan.database, chain.name);
    if (cursor?.network !== network) throw new Error(`the node serves ${network}, not the network it served before`);
    // A reorganisation makes the chain longer, so a node with a lower head is only behind.
    if (head.number < cursor.number) break;
    if ((await chain.hashAt(cursor.number)) !== cursor.hash) await rewindCursor(scan, chain, cursor);
    else if (head.number === cursor.number) return { head, isComplete: true };
    else {
      // Read after the head, so that every address that was paid up to it is included. Each range of a final chain changes balances.
      if (watched === undefined || chain.isFinal) watched = await watchedAddresses(scan, chain);
      rangeBlocks = await scanNextRange(scan, chain, { cursor, head, rangeBlocks, watched });
    }
  }
  return { head, isComplete: false };
}

const WATCHED = query('deposit-watched', (db: Tables, value: { chain: ChainName; now: Date }) =>
  db
    .selectFrom('deposit')
    .select(['userId', 'transactionId', 'address', 'observedBalance', 'watchedUntil'])
    .where('chain', '=', value.chain)
    .where('watchedUntil', '>', value.now)
    .orderBy('derivationIndex'),
);

async function watchedAddresses({ database, now }: Scan, chain: DepositChain): Promise<WatchedAddress[]> {
  const rows = await database.run(WATCHED, { chain: chain.name, now: now() });
  return rows.map(({ watchedUntil, ...row }) => ({
    ...row,
    observedBalance: BigInt(row.observedBalance),
    createdAt: new Date(watchedUntil.getTime() - WATCH_TTL_MS),
  }));
}

interface NextRange {
  readonly cursor: Block & Pick<BlockRange, 'scannedAt'>;
  readonly head: Block;
  readonly rangeBlocks: number;
  readonly watched: readonly WatchedAddress[];
}

/** Scans the next range, or a smaller one if the node does not answer for that number of blocks. @returns the largest range to try next */
async function scanNextRange(
  scan: Scan,
  chain: DepositChain,
  { cursor, head, rangeBlocks, watched }: NextRange,
): Promise<number> {
  for (let most = rangeBlocks; ;) {
    const to = await endOfRange(chain, head, Math.min(head.number, cursor.number + most));
    if (!to) return most;
    try {
      const range = { from: cursor.number + 1, to, scannedAt: cursor.scannedAt };
      const result = watched.length > 0 ? await chain.read(range, watched) : NOTHING;
      // If the hash of the last block is unchanged, the earlier blocks and their payments are unchanged too.
      if ((await chain.hashAt(to.number)) === to.hash) await storeRange(scan, chain, { cursor, to, result });
      return most;
    } catch (error) {
      if (!(error instanceof RpcError) || chain.isFinal || to.number === cursor.number + 1) throw error;
      most = Math.floor((to.number - cursor.number) / 2);
    }
  }
}

const NOTHING: ScanResult = { payments: [], balances: new Map() };

async function endOfRange(chain: DepositChain, head: Block, number: number): Promise<Block | undefined> {
  if (number === head.number) return head;
  const hash = await chain.hashAt(number);
  return hash === undefined ? undefined : { number, hash };
}

type NewPayment = Omit<FoundPayment, 'amount' | 'block'> & Position & { readonly amount: string };

const STORE_PAYMENT = query('deposit-payment-store', (db: Tables, value: NewPayment) =>
  db
    .insertInto('depositPayment')
    .values({
      userId: value.userId,
      transactionId: value.transactionId,
      chain: value.chain,
      reference: value.reference,
      amount: value.amount,
      token: value.token,
      blockNumber: value.number,
      blockHash: value.hash,
      paidAt: value.paidAt,
      state: 'seen',
    })
    .onConflict((on) =>
      on
        .constraint('deposit_payment_once')
        .doUpdateSet((eb) => ({
          state: 'seen',
          amount: eb.ref('excluded.amount'),
          blockNumber: eb.ref('excluded.blockNumber'),
          blockHash: eb.ref('excluded.blockHash'),
          paidAt: eb.ref('excluded.paidAt'),
        }))
        .where('depositPayment.state', 'in', ['seen', 'vanished']),
    ),
);
const STORE_BALANCE = query(
  'deposit-store-balance',
  (db: Tables, { userId, transactionId, balance }: { userId: number; transactionId: string; balance: string }) =>
    db
      .updateTable('deposit')
      .set({ observedBalance: balance })
      .where((row) => row.and({ userId, transactionId })),
);

/** Stores the result of a range and moves the cursor, in one transaction; nothing if another process was first. */
async function storeRange(
  { database, now }: Scan,
  chain: DepositChain,
  { cursor, to, result }: { readonly cursor: Block; readonly to: Block; readonly result: ScanResult },
): Promise<void> {
  await database.change(async (transaction) => {
    if (!(await moveCursor(transaction, chain, { from: cursor, to, now: now() }))) return;
    await rememberBlock(transaction, chain, to);
    for (const { block, ...payment } of result.payments) {
      const seen = { ...payment, ...block, amount: `${payment.amount}` };
      await transaction.run(STORE_PAYMENT, { chain: chain.name, ...seen });
    }
    for (const [{ userId, transactionId }, balance] of result.balances) {
      await transaction.run(STORE_BALANCE, { userId, transactionId, balance: `${balance}` });
    }
  });
}

interface BlocksAbove {
  readonly chain: ChainName;
  readonly number: number;
}

const DELETE_BLOCKS = query('deposit-delete-blocks', (db: Tables, value: BlocksAbove) =>
  db.deleteFrom('depositBlock').where('chain', '=', value.chain).where('blockNumber', '>', value.number),
);
const VANISH = query('deposit-payment-vanish', (db: Tables, value: BlocksAbove) =>
  db
    .updateTable('depositPayment')
    .set({ state: 'vanished' })
    .where('chain', '=', value.chain)
    .where('state', '=', 'seen')
    .where('blockNumber', '>', value.number)
    .returning('reference'),
);
const CREDITED = query('deposit-payment-credited', (db: Tables, value: BlocksAbove) =>
  db
    .selectFrom('depositPayment')
    .select('reference')
    .where('chain', '=', value.chain)
    .where('state', '=', 'credited')
    .where('blockNumber', '>', value.number),
);

/** Moves the cursor back to the last block that is still on the chain. Payments above it vanish until they are found again. */
async function rewindCursor({ database, log, now }: Scan, chain: DepositChain, cursor: Block): Promise<void> {
  if (chain.isFinal) throw new Error(`the node takes back block ${cursor.number}, which it called final`);
  const to = await newestBlockStillOnChain(database, chain);
  await database.change(async (transaction) => {
    if (!(await moveCursor(transaction, chain, { from: cursor, to, now: now() }))) return;
    const above = { chain: chain.name, number: to.number };
    await transaction.run(DELETE_BLOCKS, above);
    const vanished = await transaction.run(VANISH, above);
    const credited = await transaction.run(CREDITED, above);
    const details = { chain: chain.name, from: cursor.number, to: to.number, vanished: vanished.length };
    log.info(details, 'chain reorganization');
    if (credited.length > 0) log.error({ ...details, credited }, 'a chain reorganization removed credited payments');
  });
}

const REMEMBERED = query('deposit-blocks', (db: Tables, value: { chain: ChainName }) =>
  db
    .selectFrom('depositBlock')
    .select(['blockNumber as number', 'blockHash as hash'])
    .where('chain', '=', value.chain)
    .orderBy('blockNumber', 'desc'),
);

/** The newest stored block that is still on the chain; if there is none, the block below all stored ones. */
async function newestBlockStillOnChain(database: Database, chain: DepositChain): Promise<Block> {
  const remembered = await database.run(REMEMBERED, { chain: chain.name });
  for (const block of remembered) if ((await chain.hashAt(block.number)) === block.hash) return block;
  const head = await chain.head();
  const number = Math.max(0, Math.min(head.number, (remembered.at(-1)?.number ?? head.number) - 1));
  const hash = await chain.hashAt(number);
  if (hash === undefined) throw new Error(`the node has no block ${number}`);
  return { number, hash };
}
