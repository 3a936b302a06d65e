import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg';
import type { Events, PlatformEvent } from '../events/events.js';
import type { Logger } from '../telemetry/log.js';
import { withApplicationName } from '../events/postgres-events.js';
import { throwPublicError } from './errors.js';
import { migrateSchema, refuseUnfinishedRestore } from './migrations.js';
import { openPool } from './pool.js';
import { QueryCompiler, type Query } from './query.js';

/** A prepared statement: PostgreSQL parses it once per connection. Names are unique in the process. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** An open transaction. Values are bound as parameters, never written into the text. */
export interface Transaction {
  /** Executes a typed statement and returns its rows. */
  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>;
  /** Executes one statement with `$1`, `$2`, … and returns its rows. */
  execute<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Publishes the event after the commit. If the process is killed between the two, the event is lost; other processes
   * then read again as soon as they detect that this process is gone.
   */
  publishAfterCommit(event: PlatformEvent): void;
  /**
   * Publishes the event as part of the commit, so that a crash cannot lose it. Only for rare events: PostgreSQL
   * serializes such commits for the whole server. Without events in PostgreSQL it works like `publishAfterCommit`.
   */
  publishWithCommit(event: PlatformEvent): Promise<void>;
}

/** A consistent read-only view of the database. */
export type Snapshot = Pick<Transaction, 'run' | 'execute'>;

/** The database client of one subgraph: its own schema and its own pool. */
export interface Database {
  /** Executes a typed read and returns its rows. */
  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>;
  /** Executes a read and returns its rows as objects keyed by the column aliases. */
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs the work in one transaction, which is rolled back if the work throws. */
  change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs reads in one consistent snapshot; its statements have a longer timeout. */
  snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  /** Fails when PostgreSQL does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

type EventPublisher = Pick<Events, 'publish' | 'postgres'>;

export interface DatabaseOptions {
  readonly url: string;
  /** The subgraph's PostgreSQL schema and the name of its folder with migrations. */
  readonly schema: string;
  /** Publishes events; undefined: events are dropped. */
  readonly events?: EventPublisher;
  readonly log: Logger;
}

/** Timeout of statements that read a whole table, in milliseconds. */
const SNAPSHOT_TIMEOUT_MS = 240_000;

/** Migrates the subgraph's schema and opens its pool. Replicas that start at the same time migrate one after the other. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  await refuseUnfinishedRestore(options.url);
  await migrateSchema(options);
  return connectDatabase(options);
}

/** Opens the subgraph's pool without migrations. */
export function connectDatabase({ url, schema, events, log }: DatabaseOptions): Database {
  const connectionString = events?.postgres ? withApplicationName(url, events.postgres.processName) : url;
  const pool = openPool(connectionString, schema);
  pool.on('error', (error) => log.warn({ schema, error: error.message }, 'an idle connection to PostgreSQL broke'));
  return new PooledDatabase(pool, events, new QueryCompiler(schema));
}

class PooledDatabase implements Database {
  constructor(
    private readonly pool: Pool,
    private readonly events: EventPublisher | undefined,
    private readonly compiler: QueryCompiler,
  ) {}

  async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    const { rows } = await this.pool.query(this.compiler.prepare(query, values)).catch(throwPublicError);
    return rows as Row[];
  }

  async rows<Row extends object>({ name, text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ name, text, values: [...values] }).catch(throwPublicError);
    return rows;
  }

  async change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const unpublished: PlatformEvent[] = [];
    let isDone = false;
    const publish = () => unpublished.forEach((event) => this.events?.publish(event));
    try {
      const result = await this.inTransaction('BEGIN', async (client) => {
        const value = await work(
          new ClientTransaction(client, {
            unpublished,
            channel: this.events?.postgres?.channel,
            compiler: this.compiler,
          }),
        );
        isDone = true;
        return value;
      });
      publish();
      return result;
    } catch (error) {
      // If COMMIT got no answer, it may have taken effect.
      if (isDone && !(error instanceof DatabaseError)) publish();
      throw error;
    }
  }

  snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.inTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${SNAPSHOT_TIMEOUT_MS}`);
      const { compiler } = this;
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

  private async inTransaction<Result>(begin: string, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect().catch(throwPublicError);
    let rollbackError: Error | undefined;
    // A broken connection fails the next statement; without a listener the event would end the process.
    const ignoreError = () => undefined;
    client.on('error', ignoreError);
    try {
      await client.query(begin);
      const result = await work(client);
      const { command } = await client.query('COMMIT');
      // PostgreSQL answers COMMIT with ROLLBACK if a statement failed and the work continued.
      if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed');
      return result;
    } catch (error) {
      // A connection that cannot roll back is removed from the pool.
      rollbackError = await client.query('ROLLBACK').then(() => undefined, asError);
      throw error;
    } finally {
      client.off('error', ignoreError);
      client.release(rollbackError);
    }
  }

  async check(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** Sets the client timeout of the statement to the `statement_timeout` of a snapshot. */
function withSnapshotTimeout(text: string, values: readonly unknown[]): QueryConfig & { query_timeout: number } {
  return { text, values: [...values], query_timeout: SNAPSHOT_TIMEOUT_MS };
}

class ClientTransaction implements Transaction {
  constructor(
    private readonly client: PoolClient,
    private readonly options: {
      /** Events to publish after the commit. */
      readonly unpublished: PlatformEvent[];
      readonly channel: string | undefined;
      readonly compiler: QueryCompiler;
    },
  ) {}

  async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    const { rows } = await this.client.query(this.options.compiler.prepare(query, values)).catch(throwPublicError);
    return rows as Row[];
  }

  publishAfterCommit(event: PlatformEvent): void {
    this.options.unpublished.push(event);
  }

  async publishWithCommit(event: PlatformEvent): Promise<void> {
    const { channel } = this.options;
    if (channel === undefined) this.publishAfterCommit(event);
    else await this.client.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(event)]);
  }

  async execute<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.client.query<Row>(text, [...values]).catch(throwPublicError);
    return rows;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
