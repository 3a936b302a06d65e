import type { Database, LimitedDatabase } from './database.js';

/** Returns the same database for jobs, with limits of their own. */
export function databaseForJobs(database: LimitedDatabase): Database {
  const { jobs, jobSnapshots } = database.limits;
  return {
    run: (query, values) => jobs.take(() => database.run(query, values)),
    rows: (statement, values) => jobs.take(() => database.rows(statement, values)),
    change: (work, owner) => jobs.take(() => database.change(work), owner),
    snapshot: (read) => jobSnapshots.take(() => database.snapshot(read)),
    check: () => database.check(),
    close: () => database.close(),
  };
}

/** Returns the same database for requests, with limits for their transactions and snapshots. */
export function databaseForRequests(database: LimitedDatabase): Database {
  const { snapshots, transactions } = database.limits;
  return {
    run: (query, values) => database.run(query, values),
    rows: (statement, values) => database.rows(statement, values),
    change: (work, owner) => transactions.take(() => database.change(work), owner),
    snapshot: (read) => snapshots.take(() => database.snapshot(read)),
    check: () => database.check(),
    close: () => database.close(),
  };
}
