import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { CRAWL_COLUMNS, type ModelCrawl } from './crawl.js';

/** Duration of the lease of a crawl, in seconds. */
const LEASE_SECONDS = 60;

/** Minutes between the end of a crawl and the next one. */
const PAUSE_MINUTES = 15;

/** Progress of a crawl. */
export interface CrawlState {
  readonly leaseHolder: string;
  readonly number: string;
  readonly firstPollNumber: string;
  /** Page of the catalogue; null: the first. */
  readonly page: string | null;
  /** The last completed repository of the page. */
  readonly lastRepository: string | null;
  readonly isCatalogueDone: boolean;
  /** Number of catalogue pages read. */
  readonly pages: number;
}

const CLAIM = query(
  'claim-crawl',
  (_: Tables, value: { leaseHolder: string; now: Date }) => sql<CrawlState>`
  UPDATE infrastructure.model_crawl SET
         number = CASE WHEN finished_at IS NULL THEN number ELSE number + 1 END,
         first_poll_number = CASE WHEN finished_at IS NULL THEN first_poll_number ELSE nextval('infrastructure.model_poll') END,
         page = CASE WHEN finished_at IS NULL THEN page END,
         last_repository = CASE WHEN finished_at IS NULL THEN last_repository END,
         is_catalogue_done = finished_at IS NULL AND is_catalogue_done,
         pages = CASE WHEN finished_at IS NULL THEN pages ELSE 0 END,
         is_requested = finished_at IS NULL AND is_requested,
         finished_at = NULL, lease_holder = ${value.leaseHolder}, lease_expires_at = ${value.now}::timestamptz + interval '${sql.lit(LEASE_SECONDS)} seconds'
   WHERE lease_expires_at <= ${value.now}
     AND (finished_at IS NULL OR is_requested OR finished_at <= ${value.now}::timestamptz - interval '${sql.lit(PAUSE_MINUTES)} minutes')
  RETURNING lease_holder AS "leaseHolder", number::text, first_poll_number::text AS "firstPollNumber", page, last_repository AS "lastRepository",
            is_catalogue_done AS "isCatalogueDone", pages`,
);

/** Takes the lease of the current crawl, or starts one that is due; undefined when none is due or another process holds it. */
export async function claimCrawl(database: Database, now: Date): Promise<CrawlState | undefined> {
  const [state] = await database.change((transaction) => transaction.run(CLAIM, { leaseHolder: randomUUID(), now }));
  return state;
}

const KEEP = query('store-crawl', (db: Tables, value: CrawlState & { now: Date }) =>
  db
    .updateTable('modelCrawl')
    .set({
      page: value.page,
      lastRepository: value.lastRepository,
      isCatalogueDone: value.isCatalogueDone,
      pages: value.pages,
    })
    .set({ leaseExpiresAt: sql<Date>`${value.now}::timestamptz + interval '${sql.lit(LEASE_SECONDS)} seconds'` })
    .where('leaseHolder', '=', value.leaseHolder)
    .returning('number'),
);

/** Saves the progress and renews the lease. @returns false when another process has taken over */
export async function saveCrawl(database: Database, state: CrawlState, now: Date): Promise<boolean> {
  const kept = await database.change((transaction) => transaction.run(KEEP, { ...state, now }));
  return kept.length > 0;
}

const LEAVE = query('leave-crawl', (db: Tables, value: { leaseHolder: string }) =>
  db
    .updateTable('modelCrawl')
    .set({ leaseHolder: null, leaseExpiresAt: sql<Date>`'-infinity'` })
    .where('leaseHolder', '=', value.leaseHolder),
);

/** Releases the lease of the crawl. */
export async function leaveCrawl(database: Database, { leaseHolder }: CrawlState): Promise<void> {
  await database.change((transaction) => transaction.run(LEAVE, { leaseHolder }));
}

const FINISH = query('finish-crawl', (db: Tables, value: { leaseHolder: string; now: Date }) =>
  db
    .updateTable('modelCrawl')
    .set({ finishedAt: value.now, leaseHolder: null, leaseExpiresAt: sql<Date>`'-infinity'` })
    .where('leaseHolder', '=', value.leaseHolder)
    .returning('number'),
);
const DELETE_GONE_TAGS = query('delete-gone-tags', (db: Tables, value: { firstPollNumber: string }) =>
  db.deleteFrom('modelTag').where('digest', 'is', null).where('pollNumber', '<', value.firstPollNumber),
);

/** Finishes the crawl and deletes tags that were removed before it began. */
export async function finishCrawl(
  database: Database,
  { leaseHolder, firstPollNumber }: CrawlState,
  now: Date,
): Promise<void> {
  await database.change(async (transaction) => {
    const finished = await transaction.run(FINISH, { leaseHolder, now });
    if (finished.length > 0) await transaction.run(DELETE_GONE_TAGS, { firstPollNumber });
  });
}

const CURRENT = query('model-crawl', (db: Tables) => db.selectFrom('modelCrawl').select(CRAWL_COLUMNS));

/** The current crawl, or the last one. */
export async function currentCrawl(database: Database): Promise<ModelCrawl> {
  const [crawl] = await database.run(CURRENT, {});
  if (!crawl) throw new Error('there is no row for the crawl');
  return crawl;
}

const REQUEST = query('request-crawl', (db: Tables) =>
  db.updateTable('modelCrawl').set({ isRequested: true }).returning(CRAWL_COLUMNS),
);

/** Requests a crawl; one that is running is followed by another. @param job name of the crawl job */
export function requestCrawl(
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  job: string,
): Promise<ModelCrawl> {
  return database.change(async (transaction) => {
    const [crawl] = await transaction.run(REQUEST, {});
    await jobs.enqueue(transaction, job, {}, { key: job });
    if (!crawl) throw new Error('there is no row for the crawl');
    return crawl;
  });
}
