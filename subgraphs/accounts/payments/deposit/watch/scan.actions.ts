import type { Database, Statement, Transaction } from '../../../../../kernel/database/database.js';
import type { AccountsRuntime } from '../../../services.js';
import type { Block, DepositChain, Findings, WatchedAddress } from '../../chain/chain.js';
import { RpcRefusal } from '../../chain/json-rpc.js';

/** Ranges that one run reads; the next run goes on from there. */
const STEPS_PER_RUN = 100;

/** Ends of ranges that are remembered, by which the way back after a reorganisation is found. */
const REMEMBERED_BLOCKS = 200;

type Scan = Pick<AccountsRuntime, 'database' | 'log' | 'now'>;

const CURSOR: Statement = {
  name: 'deposit-cursor',
  text: 'SELECT network, block_number AS number, block_hash AS hash FROM accounts.deposit_cursor WHERE chain = $1',
};
const WATCHED: Statement = {
  name: 'deposit-watched',
  text: `
    SELECT transaction_id AS "transactionId", address, observed_balance::text AS "observedBalance"
      FROM accounts.deposit WHERE chain = $1 AND watched_until > $2 ORDER BY derivation_index`,
};
const REMEMBERED: Statement = {
  name: 'deposit-blocks',
  text: 'SELECT block_number AS number, block_hash AS hash FROM accounts.deposit_block WHERE chain = $1 ORDER BY block_number DESC',
};

/**
 * Reads a chain up to its head and keeps what was paid to our addresses. Safe to run many times at once: whoever reads a
 * range first keeps it. @returns the head and whether all below it is read
 * @throws Error when the node does not answer or serves another network
 */
export async function scanChain(scan: Scan, chain: DepositChain): Promise<{ head: Block; isComplete: boolean }> {
  await openCursor(scan.database, chain, scan.now());
  const network = await chain.network();
  const head = await chain.head();
  for (let step = 0; step < STEPS_PER_RUN; step++) {
    const [cursor] = await scan.database.rows<Block & { network: string }>(CURSOR, [chain.name]);
    if (cursor?.network !== network) throw new Error(`the node serves ${network}, not the network it served before`);
    // A chain that is reorganised is the longer for it: a node that knows less is behind.
    if (head.number < cursor.number) break;
    if ((await chain.hashAt(cursor.number)) !== cursor.hash) await goBack(scan, chain, cursor);
    else if (head.number === cursor.number) return { head, isComplete: true };
    else await readOn(scan, chain, { cursor, head });
  }
  return { head, isComplete: false };
}

/** Starts to read the chain at its head, unless it is read already. @throws Error when the node does not answer */
export async function openCursor(database: Database, chain: DepositChain, now: Date): Promise<void> {
  if ((await database.rows(CURSOR, [chain.name])).length > 0) return;
  const network = await chain.network();
  const head = await chain.head();
  await database.change(async (transaction) => {
    const added = await transaction.execute<object>(
      `INSERT INTO accounts.deposit_cursor (chain, network, block_number, block_hash, updated_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING chain`,
      [chain.name, network, head.number, head.hash, now],
    );
    if (added.length > 0) await rememberBlock(transaction, chain, head);
  });
}

/** Reads the next range, a smaller one where the node refuses so many blocks at once. */
async function readOn(
  scan: Scan,
  chain: DepositChain,
  { cursor, head }: { readonly cursor: Block; readonly head: Block },
): Promise<void> {
  // Read after the head: whoever was paid in these blocks had an address before.
  const rows = await scan.database.rows<WatchedRow>(WATCHED, [chain.name, scan.now()]);
  const watched = rows.map((row) => ({ ...row, observedBalance: BigInt(row.observedBalance) }));
  for (let most = chain.rangeBlocks; ; most = Math.floor(most / 2)) {
    const to = await endOfRange(chain, head, Math.min(head.number, cursor.number + most));
    if (!to) return;
    try {
      const findings = watched.length > 0 ? await chain.read(cursor.number + 1, to, watched) : NOTHING;
      // The hash of the last block vouches for all before it: unchanged, and so was what the node told of them.
      if ((await chain.hashAt(to.number)) === to.hash) await keep(scan, chain, { cursor, to, findings });
      return;
    } catch (error) {
      if (!(error instanceof RpcRefusal) || chain.isFinal || to.number === cursor.number + 1) throw error;
    }
  }
}

type WatchedRow = Omit<WatchedAddress, 'observedBalance'> & { readonly observedBalance: string };

const NOTHING: Findings = { sightings: [], balances: new Map() };

async function endOfRange(chain: DepositChain, head: Block, number: number): Promise<Block | undefined> {
  if (number === head.number) return head;
  const hash = await chain.hashAt(number);
  return hash === undefined ? undefined : { number, hash };
}

/** Keeps what a range brought together with how far was read: all of it, or nothing where another was first. */
async function keep(
  { database, now }: Scan,
  chain: DepositChain,
  { cursor, to, findings }: { readonly cursor: Block; readonly to: Block; readonly findings: Findings },
): Promise<void> {
  await database.change(async (transaction) => {
    if (!(await moveCursor(transaction, chain, { from: cursor, to, now: now() }))) return;
    await rememberBlock(transaction, chain, to);
    for (const { block, ...sighting } of findings.sightings) {
      await transaction.execute(
        `INSERT INTO accounts.deposit_payment
           (transaction_id, chain, reference, amount, token, block_number, block_hash, paid_at, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'seen')
         ON CONFLICT ON CONSTRAINT deposit_payment_once DO UPDATE SET state = 'seen', amount = excluded.amount,
           block_number = excluded.block_number, block_hash = excluded.block_hash, paid_at = excluded.paid_at
         WHERE deposit_payment.state IN ('seen', 'vanished')`,
        [
          sighting.transactionId,
          chain.name,
          sighting.reference,
          `${sighting.amount}`,
          sighting.token,
          block.number,
          block.hash,
          sighting.paidAt,
        ],
      );
    }
    for (const [transactionId, balance] of findings.balances) {
      await transaction.execute('UPDATE accounts.deposit SET observed_balance = $2 WHERE transaction_id = $1', [
        transactionId,
        `${balance}`,
      ]);
    }
  });
}

/** Goes back to the last block that still stands; payments above it are no more, until they are seen again. */
async function goBack({ database, log, now }: Scan, chain: DepositChain, cursor: Block): Promise<void> {
  if (chain.isFinal) throw new Error(`the node takes back block ${cursor.number}, which it called final`);
  const to = await lastStanding(database, chain);
  await database.change(async (transaction) => {
    if (!(await moveCursor(transaction, chain, { from: cursor, to, now: now() }))) return;
    await transaction.execute('DELETE FROM accounts.deposit_block WHERE chain = $1 AND block_number > $2', [
      chain.name,
      to.number,
    ]);
    const vanished = await transaction.execute<{ reference: string }>(
      `UPDATE accounts.deposit_payment SET state = 'vanished'
        WHERE chain = $1 AND state = 'seen' AND block_number > $2 RETURNING reference`,
      [chain.name, to.number],
    );
    const credited = await transaction.execute<{ reference: string }>(
      `SELECT reference FROM accounts.deposit_payment WHERE chain = $1 AND state = 'credited' AND block_number > $2`,
      [chain.name, to.number],
    );
    const facts = { chain: chain.name, from: cursor.number, to: to.number, vanished: vanished.length };
    log.info(facts, 'chain reorganization');
    if (credited.length > 0) log.error({ ...facts, credited }, 'a chain reorganization removed credited payments');
  });
}

/** The newest remembered block that the chain still has; the one below all of them where it has none. */
async function lastStanding(database: Database, chain: DepositChain): Promise<Block> {
  const remembered = await database.rows<Block>(REMEMBERED, [chain.name]);
  for (const block of remembered) if ((await chain.hashAt(block.number)) === block.hash) return block;
  const head = await chain.head();
  const number = Math.max(0, Math.min(head.number, (remembered.at(-1)?.number ?? head.number) - 1));
  const hash = await chain.hashAt(number);
  if (hash === undefined) throw new Error(`the node has no block ${number}`);
  return { number, hash };
}

/** Sets how far the chain was read, unless another did meanwhile. */
async function moveCursor(
  transaction: Transaction,
  chain: DepositChain,
  { from, to, now }: { readonly from: Block; readonly to: Block; readonly now: Date },
): Promise<boolean> {
  const moved = await transaction.execute<object>(
    `UPDATE accounts.deposit_cursor SET block_number = $4, block_hash = $5, updated_at = $6
      WHERE chain = $1 AND block_number = $2 AND block_hash = $3 RETURNING chain`,
    [chain.name, from.number, from.hash, to.number, to.hash, now],
  );
  return moved.length > 0;
}

async function rememberBlock(transaction: Transaction, chain: DepositChain, block: Block): Promise<void> {
  await transaction.execute(
    `INSERT INTO accounts.deposit_block (chain, block_number, block_hash) VALUES ($1, $2, $3)
     ON CONFLICT (chain, block_number) DO UPDATE SET block_hash = excluded.block_hash`,
    [chain.name, block.number, block.hash],
  );
  await transaction.execute(
    `DELETE FROM accounts.deposit_block WHERE chain = $1 AND block_number <=
       (SELECT block_number FROM accounts.deposit_block WHERE chain = $1 ORDER BY block_number DESC OFFSET $2 LIMIT 1)`,
    [chain.name, REMEMBERED_BLOCKS],
  );
}
