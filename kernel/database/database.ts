import { runner as runMigrations } from 'node-pg-migrate';
import { join } from 'node:path';
import { DatabaseError, Pool, type PoolClient, type QueryConfig } from 'pg';
import type { Events, PlatformEvent } from '../events/events.js';
import type { Logger } from '../telemetry/log.js';
import { packageRoot } from '../package-root.js';
import { namedUrl } from '../events/postgres-events.js';
import { refuse } from './errors.js';
import { QueryCompiler, type Query } from './query.js';

/** A statement that PostgreSQL parses and plans once a connection; names are unique in the process. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What is done in one transaction. Values are bound, never written into the text. */
export interface Transaction {
  /** Executes a typed statement; returns the rows it returns. */
  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>;
  /** Executes one statement with `$1`, `$2`, …; returns the rows it returns. */
  execute<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Tells the readers of the topic to look again, after the commit and only then. A process that is killed between the two
   * has told nobody; who listens elsewhere looks again as soon as its end is noticed.
   */
  publishAfterCommit(event: PlatformEvent): void;
  /**
   * The same as part of the commit, so that no crash comes between: for what must be heard and is rare, as such commits
   * take turns in all of the server. Where PostgreSQL does not carry events, as `announce`.
   */
  publishWithCommit(event: PlatformEvent): Promise<void>;
}

/** The state of one moment, for reading. */
export type Snapshot = Pick<Transaction, 'run' | 'execute'>;

/** One subgraph's door to PostgreSQL: its own schema, its own pool. */
export interface Database {
  /** Rows of a typed read. */
  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>;
  /** Rows of a read, as objects keyed by the column aliases of the statement. */
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs the work in one transaction: all of it or, when it throws, nothing. */
  change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Reads in one consistent snapshot, however many statements and however long they take. */
  snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  /** Fails when PostgreSQL does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

type EventPublisher = Pick<Events, 'publish' | 'postgres'>;

export interface DatabaseOptions {
  readonly url: string;
  /** The PostgreSQL schema that belongs to the subgraph: also the name of its folder of migrations. */
  readonly schema: string;
  /** Carries what is announced; undefined: nobody listens. */
  readonly events?: EventPublisher;
  readonly log: Logger;
}

/** No statement waits for ever: a silent database becomes an error within these, in milliseconds. */
const TIME_LIMITS = {
  // In which others' turns are waited for too, and connections opened while thousands of requests come in.
  connectionTimeoutMillis: 10_000,
  query_timeout: 20_000,
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/** Connections a subgraph holds at most; four subgraphs stay well below PostgreSQL's 200. */
const POOL_SIZE = 12;

/** Milliseconds a statement may take that reads a whole table. */
const SNAPSHOT_LIMIT_MS = 240_000;

/** Any 32-bit number, the same in every replica: whoever holds it migrates, the others wait. */
const MIGRATION_LOCK = 726_604_120;

/** Brings the subgraph's schema up to date and opens its pool; replicas that start at once take turns. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  await migrate(options);
  return connectDatabase(options);
}

/** Opens the subgraph's pool on the schema as it is. */
export function connectDatabase({ url, schema, events, log }: DatabaseOptions): Database {
  const connectionString = events?.postgres ? namedUrl(url, events.postgres.processName) : url;
  const pool = new Pool({ connectionString, max: POOL_SIZE, keepAlive: true, ...TIME_LIMITS });
  pool.on('error', (error) => log.warn({ schema, error: error.message }, 'an idle connection to PostgreSQL broke'));
  return new PooledDatabase(pool, events, new QueryCompiler(schema));
}

async function migrate({ url, schema, log }: DatabaseOptions): Promise<void> {
  await runMigrations({
    databaseUrl: url,
    dir: join(packageRoot(), 'subgraphs', schema, 'migrations'),
    direction: 'up',
    schema,
    createSchema: true,
    migrationsSchema: schema,
    migrationsTable: 'migration',
    lockValue: MIGRATION_LOCK,
    advisoryLockMode: 'wait',
    logger: {
      debug: () => undefined,
      info: (text) => log.debug(text),
      warn: (text) => log.warn(text),
      error: (text) => log.error(text),
    },
  });
}

class PooledDatabase implements Database {
  constructor(
    private readonly pool: Pool,
    private readonly events: EventPublisher | undefined,
    private readonly compiler: QueryCompiler,
  ) {}

  async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    const { rows } = await this.pool.query(this.compiler.prepare(query, values)).catch(refuse);
    return rows as Row[];
  }

  async rows<Row extends object>({ name, text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ name, text, values: [...values] }).catch(refuse);
    return rows;
  }

  async change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const unpublished: PlatformEvent[] = [];
    let isDone = false;
    const publish = () => unpublished.forEach((event) => this.events?.publish(event));
    try {
      const result = await this.within('BEGIN', async (client) => {
        const made = await work(
          new ClientTransaction(client, {
            unpublished,
            channel: this.events?.postgres?.channel,
            compiler: this.compiler,
          }),
        );
        isDone = true;
        return made;
      });
      publish();
      return result;
    } catch (error) {
      // Without PostgreSQL's answer to COMMIT it may have taken effect.
      if (isDone && !(error instanceof DatabaseError)) publish();
      throw error;
    }
  }

  snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    return this.within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${SNAPSHOT_LIMIT_MS}`);
      const { compiler } = this;
      return read({
        async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
          const prepared = { ...compiler.prepare(query, values), query_timeout: SNAPSHOT_LIMIT_MS };
          const { rows } = await client.query(prepared).catch(refuse);
          return rows as Row[];
        },
        async execute<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
          const { rows } = await client.query<Row>(patient(text, values)).catch(refuse);
          return rows;
        },
      });
    });
  }

  private async within<Result>(begin: string, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect().catch(refuse);
    let fault: Error | undefined;
    // One that breaks between two statements fails the next of them; unheard it would end the process.
    const hear = () => undefined;
    client.on('error', hear);
    try {
      await client.query(begin);
      const result = await work(client);
      const { command } = await client.query('COMMIT');
      // PostgreSQL answers so when a statement failed before and whoever sent it went on.
      if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed');
      return result;
    } catch (error) {
      // A connection that cannot even roll back is of no use to the next.
      fault = await client.query('ROLLBACK').then(() => undefined, asError);
      throw error;
    } finally {
      client.off('error', hear);
      client.release(fault);
    }
  }

  async check(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** The same statement with as long a patience on this side as `statement_timeout` has on the other. */
function patient(text: string, values: readonly unknown[]): QueryConfig & { query_timeout: number } {
  return { text, values: [...values], query_timeout: SNAPSHOT_LIMIT_MS };
}

class ClientTransaction implements Transaction {
  constructor(
    private readonly client: PoolClient,
    private readonly options: {
      /** Where events wait for the commit. */
      readonly unpublished: PlatformEvent[];
      readonly channel: string | undefined;
      readonly compiler: QueryCompiler;
    },
  ) {}

  async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    const { rows } = await this.client.query(this.options.compiler.prepare(query, values)).catch(refuse);
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
    const { rows } = await this.client.query<Row>(text, [...values]).catch(refuse);
    return rows;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
