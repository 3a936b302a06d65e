import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { CRAWL_COLUMNS, type ModelCrawl } from './crawl.js';

/** Duration of the lease of a crawl, in seconds. */
const HOLD_SECONDS = 60;

/** Minutes between the end of a crawl and the next one. */
const REST_MINUTES = 15;

/** Progress of a crawl. */
export interface CrawlState {
  readonly holder: string;
  readonly number: string;
  readonly firstLook: string;
  /** Page of the catalogue; null: the first. */
  readonly page: string | null;
  /** The last completed repository of the page. */
  readonly doneUntil: string | null;
  readonly isCatalogueDone: boolean;
  /** Number of catalogue pages read. */
  readonly pages: number;
}

const CLAIM = query(
  'claim-crawl',
  (_: Tables, value: { holder: string; now: Date }) => sql<CrawlState>`
  UPDATE infrastructure.model_crawl SET
         number = CASE WHEN finished_at IS NULL THEN number ELSE number + 1 END,
         first_look = CASE WHEN finished_at IS NULL THEN first_look ELSE nextval('infrastructure.model_look') END,
         page = CASE WHEN finished_at IS NULL THEN page END,
         done_until = CASE WHEN finished_at IS NULL THEN done_until END,
         is_catalogue_done = finished_at IS NULL AND is_catalogue_done,
         pages = CASE WHEN finished_at IS NULL THEN pages ELSE 0 END,
         is_due = finished_at IS NULL AND is_due,
         finished_at = NULL, holder = ${value.holder}, held_until = ${value.now}::timestamptz + interval '${sql.lit(HOLD_SECONDS)} seconds'
   WHERE held_until <= ${value.now}
     AND (finished_at IS NULL OR is_due OR finished_at <= ${value.now}::timestamptz - interval '${sql.lit(REST_MINUTES)} minutes')
  RETURNING holder, number::text, first_look::text AS "firstLook", page, done_until AS "doneUntil",
            is_catalogue_done AS "isCatalogueDone", pages`,
);

/** Takes the lease of the current crawl, or starts one that is due; undefined when none is due or another process holds it. */
export async function claimCrawl(database: Database, now: Date): Promise<CrawlState | undefined> {
  const [state] = await database.change((transaction) => transaction.run(CLAIM, { holder: randomUUID(), now }));
  return state;
}

const KEEP = query('keep-crawl', (db: Tables, value: CrawlState & { now: Date }) =>
  db
    .updateTable('modelCrawl')
    .set({ page: value.page, doneUntil: value.doneUntil, isCatalogueDone: value.isCatalogueDone, pages: value.pages })
    .set({ heldUntil: sql<Date>`${value.now}::timestamptz + interval '${sql.lit(HOLD_SECONDS)} seconds'` })
    .where('holder', '=', value.holder)
    .returning('number'),
);

/** Saves the progress and renews the lease. @returns false when another process has taken over */
export async function keepCrawl(database: Database, state: CrawlState, now: Date): Promise<boolean> {
  const kept = await database.change((transaction) => transaction.run(KEEP, { ...state, now }));
  return kept.length > 0;
}

const LEAVE = query('leave-crawl', (db: Tables, value: { holder: string }) =>
  db
    .updateTable('modelCrawl')
    .set({ holder: null, heldUntil: sql<Date>`'-infinity'` })
    .where('holder', '=', value.holder),
);

/** Releases the lease of the crawl. */
export async function leaveCrawl(database: Database, { holder }: CrawlState): Promise<void> {
  await database.change((transaction) => transaction.run(LEAVE, { holder }));
}

const FINISH = query('finish-crawl', (db: Tables, value: { holder: string; now: Date }) =>
  db
    .updateTable('modelCrawl')
    .set({ finishedAt: value.now, holder: null, heldUntil: sql<Date>`'-infinity'` })
    .where('holder', '=', value.holder)
    .returning('number'),
);
const DELETE_GONE_TAGS = query('delete-gone-tags', (db: Tables, value: { firstLook: string }) =>
  db.deleteFrom('modelTag').where('digest', 'is', null).where('look', '<', value.firstLook),
);

/** Finishes the crawl and deletes tags that were removed before it began. */
export async function finishCrawl(database: Database, { holder, firstLook }: CrawlState, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    const finished = await transaction.run(FINISH, { holder, now });
    if (finished.length > 0) await transaction.run(DELETE_GONE_TAGS, { firstLook });
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
  db.updateTable('modelCrawl').set({ isDue: true }).returning(CRAWL_COLUMNS),
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
