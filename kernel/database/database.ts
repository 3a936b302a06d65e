import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import { POOL_SIZE } from '../config/config.js';
import type { Events, PlatformEvent } from '../events/events.js';
import type { Logger } from '../telemetry/log.js';
import { withApplicationName } from '../events/postgres-events.js';
import { throwPublicError } from './errors.js';
import { connectionLimits, type ConnectionLimits } from './connection-limit.js';
import { migrateSchema } from './migrations.js';
import { inTransaction, readSnapshot, type Snapshot } from './in-transaction.js';
import { openPool } from './pool.js';
import { Replica } from './replica.js';
import { isWriteText, QueryCompiler, type Query } from './query.js';
import { countRows } from './row-budget.js';

/** A prepared statement: PostgreSQL parses it once per connection. Names are unique in the process. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** An open transaction. */
export interface Transaction extends Snapshot {
  /** Whether one of its statements has written a row; a row that is only locked does not count. */
  readonly hasWritten: boolean;
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

/** The database client of one subgraph: its own schema and its own pool. */
export interface Database {
  /** Executes a typed read and returns its rows. */
  run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]>;
  /** Executes a read and returns its rows as objects keyed by the column aliases. */
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs the work in one transaction, which is rolled back if the work throws. @param owner whose transactions wait for
   * each other; they use only a share of the connections. The work must not begin another transaction of the owner.
   */
  change<Result>(work: (transaction: Transaction) => Promise<Result>, owner?: string): Promise<Result>;
  /** Runs reads in one consistent snapshot; its statements have a longer timeout. */
  snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  /** Fails when PostgreSQL does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A database with its limits, which `databaseForJobs` and `databaseForRequests` apply. */
export interface LimitedDatabase extends Database {
  readonly limits: ConnectionLimits;
}

type EventPublisher = Pick<Events, 'publish' | 'postgres'>;

export interface DatabaseOptions {
  readonly url: string;
  /** The same database through PgBouncer in transaction mode, where no statement can be prepared; undefined: `url`. */
  readonly poolUrl?: string | undefined;
  /** A streaming replica of it, for snapshots; undefined: none. */
  readonly replicaUrl?: string | undefined;
  /** Maximum number of connections, each to the database and to its replica. */
  readonly poolSize?: number;
  /** The subgraph's PostgreSQL schema and the name of its folder with migrations. */
  readonly schema: string;
  /** Publishes events; undefined: events are dropped. */
  readonly events?: EventPublisher;
  readonly log: Logger;
}

/** Migrates the subgraph's schema and opens its pool. Replicas that start at the same time migrate one after the other. */
export async function openDatabase(options: DatabaseOptions): Promise<LimitedDatabase> {
  await migrateSchema(options);
  return connectDatabase(options);
}

/** Opens the subgraph's pool without migrations. */
export function connectDatabase(options: DatabaseOptions): LimitedDatabase {
  const { url, poolUrl, replicaUrl, poolSize: size = POOL_SIZE, schema, events, log } = options;
  const ownUrl = events?.postgres ? withApplicationName(url, events.postgres.processName) : url;
  const pool = openPool(poolUrl ?? ownUrl, schema, { isDirect: poolUrl === undefined, size });
  pool.on('error', (error) => log.warn({ schema, error: error.message }, 'an idle connection to PostgreSQL broke'));
  const replica =
    replicaUrl === undefined
      ? undefined
      : new Replica(openPool(replicaUrl, `${schema} replica`, { isDirect: true, size }), pool, schema, log);
  const compiler = new QueryCompiler(schema, { prepares: poolUrl === undefined });
  const limits = connectionLimits(schema, () => size);
  return new PooledDatabase(pool, { replica, events, compiler, limits });
}

interface Parts {
  readonly replica: Replica | undefined;
  readonly events: EventPublisher | undefined;
  readonly compiler: QueryCompiler;
  readonly limits: ConnectionLimits;
}

class PooledDatabase implements LimitedDatabase {
  readonly limits: ConnectionLimits;
  private readonly replica: Replica | undefined;
  private readonly events: EventPublisher | undefined;
  private readonly compiler: QueryCompiler;

  constructor(
    private readonly pool: Pool,
    { replica, events, compiler, limits }: Parts,
  ) {
    this.replica = replica;
    this.events = events;
    this.compiler = compiler;
    this.limits = limits;
  }

  async run<Values extends object, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    const { rows } = await this.pool.query(this.compiler.prepare(query, values)).catch(throwPublicError);
    return rows as Row[];
  }

  async rows<Row extends object>({ name, text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const statement = this.compiler.prepares ? { name, text } : { text };
    const counted = countRows({ ...statement, values: [...values] });
    const { rows } = await this.pool.query<Row>(counted).catch(throwPublicError);
    return rows;
  }

  async change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const unpublished: PlatformEvent[] = [];
    let isDone = false;
    const publish = () => unpublished.forEach((event) => this.events?.publish(event));
    try {
      const client = await this.pool.connect().catch(throwPublicError);
      const result = await inTransaction(client, 'BEGIN', async () => {
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

  async snapshot<Result>(read: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const work = (client: PoolClient) => readSnapshot(client, this.compiler, read);
    const answer = await this.replica?.read(work);
    return answer ? answer.result : work(await this.pool.connect().catch(throwPublicError));
  }

  async check(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.replica?.close()]);
  }
}

class ClientTransaction implements Transaction {
  hasWritten = false;

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
    const prepared = this.options.compiler.prepare(query, values);
    return this.rowsOf<Row>(prepared.text, await this.client.query(prepared).catch(throwPublicError));
  }

  publishAfterCommit(event: PlatformEvent): void {
    this.options.unpublished.push(event);
  }

  async publishWithCommit(event: PlatformEvent): Promise<void> {
    const { channel } = this.options;
    if (channel === undefined) this.publishAfterCommit(event);
    else await this.execute('SELECT pg_notify($1, $2)', [channel, JSON.stringify(event)]);
  }

  async execute<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.rowsOf(text, await this.client.query<Row>(text, [...values]).catch(throwPublicError));
  }

  private rowsOf<Row>(text: string, { command, rowCount, rows }: QueryResult): Row[] {
    // For a query, PostgreSQL counts the rows that it returns, and not those that its `WITH` wrote.
    this.hasWritten ||= command === 'SELECT' ? isWriteText(text) : WRITES.has(command) && (rowCount ?? 0) > 0;
    return rows as Row[];
  }
}

/** The commands that write. Source: PostgreSQL, message formats, CommandComplete */
const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
