import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { errorCode } from '../errors.js';
import type { Logger } from '../telemetry/log.js';
import { METRICS } from '../telemetry/metrics.js';
import { DATABASE_IDENTITY } from './replica-check.js';

/** How long a read waits for the commits before it; then the primary answers it. In milliseconds. */
const CATCH_UP_MS = 100;

/** Between two queries for the position of the replica. */
const POLL_MS = 5;

/** After an error no read goes to the replica for this time. */
const PAUSE_MS = 1_000;

const READS = METRICS.counter(
  'database_replica_reads_total',
  'Reads for the replica: answered by it, or by the primary as the replica was late or failed.',
  ['subgraph', 'outcome'],
);

/** A read that failed after this time is not repeated at the primary: it may fail as slowly there. */
const REPEAT_MS = 30_000;

const NOW = `SELECT pg_current_wal_flush_lsn()::text AS position, ${DATABASE_IDENTITY} AS identity`;

const CAUGHT_UP = `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isCaughtUp", ${DATABASE_IDENTITY} AS identity`;

interface Position {
  readonly position: string;
  readonly identity: string;
}

interface Found {
  readonly isCaughtUp: boolean | null;
  readonly identity: string;
}

type Outcome = 'answered' | 'late' | 'failed';

/**
 * A streaming replica that answers reads as the primary would: a read begins when the replica has replayed every commit
 * that the primary had when the read was asked for. Source: PostgreSQL, Recovery Control Functions
 */
export class Replica {
  private pausedUntil = 0;
  private last: Outcome = 'answered';

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
   * @returns undefined: read at the primary, as the replica is late, is gone, or cancelled the read to go on replaying
   */
  async read<Result>(read: (client: PoolClient) => Promise<Result>): Promise<{ readonly result: Result } | undefined> {
    if (performance.now() < this.pausedUntil) return this.count(this.last);
    const startedAt = performance.now();
    try {
      const client = await this.caughtUp();
      if (client === undefined) return this.pause('late');
      const result = await read(client);
      if (this.last !== 'answered') this.log.info('the replica answers reads again');
      this.count('answered');
      return { result };
    } catch (error) {
      const isOfRead = (errorCode(error) ?? 'UNAVAILABLE') !== 'UNAVAILABLE';
      if (isOfRead || performance.now() - startedAt > REPEAT_MS) throw error;
      return this.pause('failed', error);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** A connection to the replica with all commits that the primary has now; undefined: not within the time. */
  private async caughtUp(): Promise<PoolClient | undefined> {
    const deadline = performance.now() + CATCH_UP_MS;
    const { rows } = await this.primary.query<Position>(NOW);
    const client = await this.pool.connect();
    try {
      do {
        const found = await client.query<Found>(CAUGHT_UP, [rows[0]?.position]);
        if (found.rows[0]?.identity !== rows[0]?.identity) throw new Error('it has another database');
        if (found.rows[0]?.isCaughtUp) return client;
        await setTimeout(POLL_MS);
      } while (performance.now() < deadline);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    return undefined;
  }

  private pause(outcome: Outcome, error?: unknown): undefined {
    if (this.last === 'answered') {
      const reason = error instanceof Error ? error.message : 'it is late';
      this.log.warn({ reason }, 'reads go to the primary: the replica does not answer them');
    }
    this.pausedUntil = performance.now() + PAUSE_MS;
    return this.count(outcome);
  }

  private count(outcome: Outcome): undefined {
    this.last = outcome;
    READS.add([this.subgraph, outcome]);
  }
}
