import { randomUUID } from 'node:crypto';
import type { Database } from '../../../../kernel/database/database.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
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

/** Takes the lease of the current crawl, or starts one that is due; undefined when none is due or another process holds it. */
export async function claimCrawl(database: Database, now: Date): Promise<CrawlState | undefined> {
  const [state] = await database.change((transaction) =>
    transaction.execute<CrawlState>(
      `UPDATE infrastructure.model_crawl SET
         number = CASE WHEN finished_at IS NULL THEN number ELSE number + 1 END,
         first_look = CASE WHEN finished_at IS NULL THEN first_look ELSE nextval('infrastructure.model_look') END,
         page = CASE WHEN finished_at IS NULL THEN page END,
         done_until = CASE WHEN finished_at IS NULL THEN done_until END,
         is_catalogue_done = finished_at IS NULL AND is_catalogue_done,
         pages = CASE WHEN finished_at IS NULL THEN pages ELSE 0 END,
         is_due = finished_at IS NULL AND is_due,
         finished_at = NULL, holder = $1, held_until = $2::timestamptz + interval '${HOLD_SECONDS} seconds'
       WHERE held_until <= $2
         AND (finished_at IS NULL OR is_due OR finished_at <= $2::timestamptz - interval '${REST_MINUTES} minutes')
       RETURNING holder, number::text, first_look::text AS "firstLook", page, done_until AS "doneUntil",
                 is_catalogue_done AS "isCatalogueDone", pages`,
      [randomUUID(), now],
    ),
  );
  return state;
}

/** Saves the progress and renews the lease. @returns false when another process has taken over */
export async function keepCrawl(database: Database, state: CrawlState, now: Date): Promise<boolean> {
  const { holder, page, doneUntil, isCatalogueDone, pages } = state;
  const kept = await database.change((transaction) =>
    transaction.execute(
      `UPDATE infrastructure.model_crawl SET page = $2, done_until = $3, is_catalogue_done = $4, pages = $6,
              held_until = $5::timestamptz + interval '${HOLD_SECONDS} seconds'
        WHERE holder = $1 RETURNING number`,
      [holder, page, doneUntil, isCatalogueDone, now, pages],
    ),
  );
  return kept.length > 0;
}

/** Releases the lease of the crawl. */
export async function leaveCrawl(database: Database, { holder }: CrawlState): Promise<void> {
  await database.change((transaction) =>
    transaction.execute(
      `UPDATE infrastructure.model_crawl SET holder = NULL, held_until = '-infinity' WHERE holder = $1`,
      [holder],
    ),
  );
}

/** Finishes the crawl and deletes tags that were removed before it began. */
export async function finishCrawl(database: Database, { holder, firstLook }: CrawlState, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    const finished = await transaction.execute(
      `UPDATE infrastructure.model_crawl SET finished_at = $2, holder = NULL, held_until = '-infinity' WHERE holder = $1
       RETURNING number`,
      [holder, now],
    );
    if (finished.length > 0)
      await transaction.execute('DELETE FROM infrastructure.model_tag WHERE digest IS NULL AND look < $1', [firstLook]);
  });
}

const CURRENT = { name: 'model-crawl', text: `SELECT ${CRAWL_COLUMNS} FROM infrastructure.model_crawl` };

/** The current crawl, or the last one. */
export async function currentCrawl(database: Database): Promise<ModelCrawl> {
  const [crawl] = await database.rows<ModelCrawl>(CURRENT);
  if (!crawl) throw new Error('there is no row for the crawl');
  return crawl;
}

/** Requests a crawl; one that is running is followed by another. @param job name of the crawl job */
export function requestCrawl(
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  job: string,
): Promise<ModelCrawl> {
  return database.change(async (transaction) => {
    const [crawl] = await transaction.execute<ModelCrawl>(
      `UPDATE infrastructure.model_crawl SET is_due = true RETURNING ${CRAWL_COLUMNS}`,
    );
    await jobs.enqueue(transaction, job, {}, { key: job });
    if (!crawl) throw new Error('there is no row for the crawl');
    return crawl;
  });
}
