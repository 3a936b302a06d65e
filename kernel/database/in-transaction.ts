import type { PoolClient, QueryConfig } from 'pg';
import { throwPublicError } from './errors.js';
import type { Query, QueryCompiler } from './query.js';
import { countRows } from './row-budget.js';

/** A consistent read-only view of the database. Values are bound as parameters, never written into the text. */
export interface Snapshot {
  /** Executes a typed statement and returns its rows. */
  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>;
  /** Executes one statement with `$1`, `$2`, … and returns its rows. */
  execute<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Timeout of statements that read a whole table, in milliseconds. */
const SNAPSHOT_TIMEOUT_MS = 240_000;

/** The rollback, in milliseconds: it waits in vain behind a statement that got no answer in time. */
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 1_000 };

/** Runs the work in a transaction of the connection, and releases it. */
export async function inTransaction<Result>(
  client: PoolClient,
  begin: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let rollbackError: Error | undefined;
  // A broken connection fails the next statement; without a listener the event would end the process.
  const ignoreError = () => undefined;
  client.on('error', ignoreError);
  try {
    await client.query(begin).catch(throwPublicError);
    const result = await work();
    const { command } = await client.query('COMMIT').catch(throwPublicError);
    // PostgreSQL answers COMMIT with ROLLBACK if a statement failed and the work continued.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed');
    return result;
  } catch (error) {
    // A connection that cannot roll back is removed from the pool.
    rollbackError = await client.query(ROLLBACK).then(() => undefined, asError);
    throw error;
  } finally {
    client.off('error', ignoreError);
    client.release(rollbackError);
  }
}

/** Runs reads in a snapshot of the connection, and releases it. */
export function readSnapshot<Result>(
  client: PoolClient,
  compiler: QueryCompiler,
  read: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return inTransaction(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async () => {
    await client.query(`SET LOCAL statement_timeout = ${SNAPSHOT_TIMEOUT_MS}`).catch(throwPublicError);
    return read({
      async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
        const prepared = { ...compiler.prepare(query, values), query_timeout: SNAPSHOT_TIMEOUT_MS };
        const { rows } = await client.query(prepared).catch(throwPublicError);
        return rows as Row[];
      },
      async execute<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
        const { rows } = await client.query<Row>(withSnapshotTimeout(text, values)).catch(throwPublicError);
        return rows;
      },
    });
  });
}

/** Sets the client timeout of the statement to the `statement_timeout` of a snapshot. */
function withSnapshotTimeout(text: string, values: readonly unknown[]): QueryConfig & { query_timeout: number } {
  return countRows({ text, values: [...values], query_timeout: SNAPSHOT_TIMEOUT_MS });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
