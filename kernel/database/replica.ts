import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { errorCode } from '../errors.js';
import type { Logger } from '../telemetry/log.js';
import { METRICS } from '../telemetry/metrics.js';
import { DATABASE_IDENTITY } from './replica-check.js';
import { isRowRefusal } from './row-budget.js';

/** Milliseconds that a read waits for the replica to replay earlier commits; then the primary answers it. */
const CATCH_UP_MS = 100;

/** Milliseconds between two queries for the position of the replica. */
const POLL_MS = 5;

/** Milliseconds after an error in which no read goes to the replica. */
const PAUSE_MS = 1_000;

const READS = METRICS.counter(
  'database_replica_reads_total',
  'Reads for the replica: answered by it, or by the primary as the replica was late or failed.',
  ['subgraph', 'outcome'],
);

/** A read that took more milliseconds before it failed is not repeated at the primary: it may be as slow there. */
const REPEAT_MS = 30_000;

const PRIMARY_POSITION = `SELECT pg_current_wal_flush_lsn()::text AS position, ${DATABASE_IDENTITY} AS identity`;

const REPLICA_STATE = `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isCaughtUp", ${DATABASE_IDENTITY} AS identity`;

interface PrimaryPosition {
  readonly position: string;
  readonly identity: string;
}

interface ReplicaState {
  readonly isCaughtUp: boolean | null;
  readonly identity: string;
}

type Outcome = 'answered' | 'late' | 'failed';

/**
 * A streaming replica that answers reads as the primary would: a read begins when the replica has replayed every commit
 * that the primary had when the read was requested. Source: PostgreSQL, Recovery Control Functions
 */
export class Replica {
  private pausedUntil = 0;
  private lastOutcome: Outcome = 'answered';

  constructor(
    private readonly pool: Pool,
    private readonly primary: Pool,
    private readonly subgraph: string,
    private readonly log: Logger,
  ) {
    pool.on('error', (error) => log.warn({ error: error.message }, 'an idle connection to the replica broke'));
  }

  /**
   * Runs a read on the replica. `read` releases the connection.
   * @returns undefined if the replica is late or gone, or cancelled the read to continue its replay; the caller reads at the primary then
   */
  async read<Result>(read: (client: PoolClient) => Promise<Result>): Promise<{ readonly result: Result } | undefined> {
    if (performance.now() < this.pausedUntil) return this.count(this.lastOutcome);
    const startedAt = performance.now();
    try {
      const client = await this.caughtUp();
      if (client === undefined) return this.pause('late');
      const result = await read(client);
      if (this.lastOutcome !== 'answered') this.log.info('the replica answers reads again');
      this.count('answered');
      return { result };
    } catch (error) {
      const isFaultOfRead = isRowRefusal(error) || (errorCode(error) ?? 'UNAVAILABLE') !== 'UNAVAILABLE';
      if (isFaultOfRead || performance.now() - startedAt > REPEAT_MS) throw error;
      return this.pause('failed', error);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** Returns a connection to the replica when it has every commit of the primary; undefined if that takes too long. */
  private async caughtUp(): Promise<PoolClient | undefined> {
    const deadline = performance.now() + CATCH_UP_MS;
    const { rows } = await this.primary.query<PrimaryPosition>(PRIMARY_POSITION);
    const client = await this.pool.connect();
    // A broken connection fails the next query; without a listener the event would end the process.
    const ignoreError = () => undefined;
    client.on('error', ignoreError);
    try {
      do {
        const found = await client.query<ReplicaState>(REPLICA_STATE, [rows[0]?.position]);
        if (found.rows[0]?.identity !== rows[0]?.identity) throw new Error('it has another database');
        if (found.rows[0]?.isCaughtUp) return client;
        await setTimeout(POLL_MS);
      } while (performance.now() < deadline);
      client.release();
      return undefined;
    } catch (error) {
      client.release(true);
      throw error;
    } finally {
      client.off('error', ignoreError);
    }
  }

  private pause(outcome: Outcome, error?: unknown): undefined {
    if (this.lastOutcome === 'answered') {
      const reason = error instanceof Error ? error.message : 'it is late';
      this.log.warn({ reason }, 'reads go to the primary: the replica does not answer them');
    }
    this.pausedUntil = performance.now() + PAUSE_MS;
    return this.count(outcome);
  }

  private count(outcome: Outcome): undefined {
    this.lastOutcome = outcome;
    READS.add([this.subgraph, outcome]);
  }
}
