import { Pool } from 'pg';

/** Maximum connections to one database for all job queues of the process. */
const MAX_CONNECTIONS = 4;

/** Milliseconds until an unused connection is closed: longer than the minute between two runs of a job. */
const IDLE_MS = 90_000;

const CONNECT_TIMEOUT_MS = 10_000;

/** Milliseconds after which an unanswered statement of pg-boss fails; deletions and upgrades of its tables take seconds. */
const QUERY_TIMEOUT_MS = 60_000;

/** What pg-boss sends its statements to. */
export interface QueueConnections {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** The last user of a database closes its connections. */
  close(): Promise<void>;
}

const pools = new Map<string, { readonly pool: Pool; users: number }>();

/** Opens connections that the queues of all subgraphs of the process share if their database is the same. @param report is told of lost connections */
export function openConnections(databaseUrl: string, report: (error: Error) => void): QueueConnections {
  const shared = pools.get(databaseUrl) ?? { pool: openPool(databaseUrl), users: 0 };
  const { pool } = shared;
  pools.set(databaseUrl, shared);
  shared.users += 1;
  pool.on('error', report);
  return {
    executeSql: (text, values) => pool.query(text, values),
    async close() {
      shared.users -= 1;
      if (shared.users === 0) {
        pools.delete(databaseUrl);
        await pool.end();
      }
      pool.off('error', report);
    },
  };
}

function openPool(connectionString: string): Pool {
  const times = {
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Of a connection that was lost without an end, nothing else tells.
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new Pool({ connectionString, max: MAX_CONNECTIONS, application_name: 'archipelago jobs', ...times });
  // `end` does not wait for the connections. An error of theirs that comes after the last user would end the process.
  return pool.on('error', () => undefined);
}
