import { ConnectionLimit } from './connection-limit.js';
import type { Database } from './database.js';

/** Returns the same database for jobs, with a limit of their own. */
export function databaseForJobs(database: Database, poolSize: number): Database {
  const limit = new ConnectionLimit('jobs', poolSize);
  return {
    ...forwarded(database),
    run: (query, values) => limit.take(() => database.run(query, values)),
    rows: (statement, values) => limit.take(() => database.rows(statement, values)),
    change: (work) => limit.take(() => database.change(work)),
  };
}

/** Returns the same database for requests, with a limit for their transactions. */
export function databaseForRequests(database: Database, poolSize: number): Database {
  const limit = new ConnectionLimit('transactions', poolSize);
  return { ...forwarded(database), change: (work) => limit.take(() => database.change(work)) };
}

function forwarded(database: Database): Database {
  return {
    run: (query, values) => database.run(query, values),
    rows: (statement, values) => database.rows(statement, values),
    change: (work) => database.change(work),
    snapshot: (read) => database.snapshot(read),
    check: () => database.check(),
    close: () => database.close(),
  };
}
