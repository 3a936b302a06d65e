import { Pool } from 'pg';
import { METRICS } from '../telemetry/metrics.js';
import { TYPES } from './timestamps.js';

/** Timeouts in milliseconds, so that a database that does not respond causes an error. */
const TIMEOUTS = {
  // Includes the wait for a free connection while thousands of requests arrive.
  connectionTimeoutMillis: 10_000,
  query_timeout: 20_000,
  // Longer than the minute between two runs of a job: a new connection takes 20 ms of CPU.
  idleTimeoutMillis: 90_000,
} as const;

/** Timeouts in milliseconds that each connection sets. PgBouncer refuses such settings; its `connect_query` sets them. */
const SERVER_TIMEOUTS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

const CONNECTIONS = METRICS.gauge('database_connections', 'Connections to PostgreSQL.', ['subgraph', 'state']);
const WAITING = METRICS.gauge('database_waiting', 'Statements and transactions that wait for a connection.', [
  'subgraph',
]);
const WAIT_SECONDS = METRICS.histogram(
  'database_wait_seconds',
  'Time that a statement or a transaction waited for a connection.',
  ['subgraph'],
  [0.0001, 0.001, 0.01, 0.1, 1, 10],
);

type ConnectCallback = Parameters<Pool['connect']>[0];

interface PoolOptions {
  readonly isDirect: boolean;
  /** Maximum number of connections. */
  readonly size: number;
}

/** Opens a pool of connections to PostgreSQL, or to PgBouncer if not direct, and measures it until it ends. */
export function openPool(connectionString: string, schema: string, { isDirect, size }: PoolOptions): Pool {
  const timeouts = isDirect ? { ...TIMEOUTS, ...SERVER_TIMEOUTS } : TIMEOUTS;
  const pool = new Pool({ connectionString, max: size, keepAlive: true, types: TYPES, ...timeouts });
  measureWaits(pool, [schema]);
  const stop = METRICS.observe(() => {
    const { totalCount, idleCount, waitingCount } = pool;
    return [
      { gauge: CONNECTIONS, labels: [schema, 'in_use'], value: totalCount - idleCount },
      { gauge: CONNECTIONS, labels: [schema, 'idle'], value: idleCount },
      { gauge: WAITING, labels: [schema], value: waitingCount },
    ];
  });
  const end = pool.end.bind(pool);
  pool.end = () => {
    stop();
    return end();
  };
  return pool;
}

/** Every statement of the pool goes through `connect`, with a callback; transactions wait for its promise. */
function measureWaits(pool: Pool, labels: readonly string[]): void {
  const connect = pool.connect.bind(pool);
  pool.connect = ((callback?: ConnectCallback) => {
    const startedAt = performance.now();
    const observe = () => WAIT_SECONDS.observe(labels, (performance.now() - startedAt) / 1000);
    if (!callback) return connect().finally(observe);
    return connect((...connected) => {
      observe();
      callback(...connected);
    });
  }) as Pool['connect'];
}
