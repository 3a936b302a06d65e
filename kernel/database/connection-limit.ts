import { KeyedSemaphore } from '../concurrency/keyed-semaphore.js';
import { unavailable } from '../errors.js';
import { METRICS } from '../telemetry/metrics.js';

/**
 * Shares of the connections of a pool that each kind of work may use at once, rounded down, at least one. They leave an eighth
 * free for single statements, at least one connection, so that a read is answered while all kinds are busy. Of 16, transactions
 * have one more than the operations of a user at once.
 */
const SHARES = { jobs: 0.125, jobSnapshots: 0.0625, snapshots: 0.125, transactions: 0.5625 } as const;

/**
 * Share of the connections for the transactions of one owner, at most half of those of their kind: they mostly wait for each
 * other's row locks, and waiting with a connection blocks other owners.
 */
const OWNER_SHARE = 0.1875;

/** Maximum statements and transactions of one kind that wait. */
const MAX_WAITING = 1_000;

/** Maximum time that work of requests waits for its share. */
const WAIT_MS = 10_000;

/** The same for jobs, which nobody waits for. */
const JOB_WAIT_MS = 60_000;

type Kind = keyof typeof SHARES;

const WAITS = {
  jobs: JOB_WAIT_MS,
  jobSnapshots: JOB_WAIT_MS,
  snapshots: WAIT_MS,
  transactions: WAIT_MS,
} as const satisfies Record<Kind, number>;

const LABELS = ['subgraph', 'kind'];
const WAITING = METRICS.gauge(
  'database_limit_waiting',
  'Work that waits because others of its kind use their share of the connections.',
  LABELS,
);
const WAIT_SECONDS = METRICS.histogram(
  'database_limit_wait_seconds',
  'Time that work waited for the share of its kind, or until it was refused.',
  LABELS,
  [0.0001, 0.001, 0.01, 0.1, 1, 10, 60],
);

/** Lets one kind of work use its share of the connections; the rest waits in order of arrival, for a limited time. */
export class ConnectionLimit {
  private readonly semaphore: KeyedSemaphore;
  private readonly owners: KeyedSemaphore;
  private readonly labels: readonly [string, Kind];

  /** @param poolSize returns the number of connections, which may change */
  constructor(kind: Kind, subgraph: string, poolSize: () => number) {
    this.labels = [subgraph, kind];
    WAITING.add(this.labels, 0);
    const semaphoreOf = (share: number) => {
      const limits = {
        atOnce: () => Math.floor(poolSize() * share),
        waiting: MAX_WAITING,
        waitMs: WAITS[kind],
      };
      return new KeyedSemaphore(limits, () =>
        unavailable('The platform is overloaded: try again a little later.', { retryAfter: 1 }),
      );
    };
    this.semaphore = semaphoreOf(SHARES[kind]);
    this.owners = semaphoreOf(Math.min(OWNER_SHARE, SHARES[kind] / 2));
  }

  /**
   * Does the work when fewer connections are in use. @param owner has a smaller share of its own; undefined: none
   * @throws UNAVAILABLE when too much waits, or it waited too long
   */
  async take<Result>(work: () => Promise<Result>, owner?: string): Promise<Result> {
    const release = await this.enter(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async enter(owner: string | undefined): Promise<() => void> {
    const startedAt = performance.now();
    WAITING.add(this.labels, 1);
    try {
      if (owner === undefined) return await this.semaphore.enter('');
      const leave = await this.owners.enter(owner);
      const release = await this.semaphore.enter('').catch((error: unknown) => {
        leave();
        throw error;
      });
      return () => {
        release();
        leave();
      };
    } finally {
      WAITING.add(this.labels, -1);
      WAIT_SECONDS.observe(this.labels, (performance.now() - startedAt) / 1000);
    }
  }
}

/** The limits of all kinds of work of a subgraph. */
export type ConnectionLimits = Readonly<Record<Kind, ConnectionLimit>>;

/** @param poolSize returns the number of connections, which may change */
export function connectionLimits(subgraph: string, poolSize: () => number): ConnectionLimits {
  const limitOf = (kind: Kind) => new ConnectionLimit(kind, subgraph, poolSize);
  return {
    jobs: limitOf('jobs'),
    jobSnapshots: limitOf('jobSnapshots'),
    snapshots: limitOf('snapshots'),
    transactions: limitOf('transactions'),
  };
}
