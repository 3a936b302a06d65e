import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { errorCode } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { joinName, splitName } from '../model/model.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { RegistryFault } from '../registry/body.js';
import { isTag } from '../model/name.rules.js';
import { pollReference } from '../index/poll.actions.js';
import { Pagination } from './pagination.js';
import type { Registry } from '../registry/registry.js';

/** Maximum number of tag pages of a repository: fifty thousand tags at the requested page size. */
const MAX_PAGES = 500;

/** Tags of a repository polled concurrently. */
const CONCURRENCY = 4;

/** Context for comparing a repository during a crawl. */
export interface CrawlContext extends Pick<InfrastructureRuntime, 'database' | 'now' | 'log'> {
  readonly registry: Registry;
  /** Number of the crawl. */
  readonly number: string;
  /** Poll number at the start of the crawl. */
  readonly firstPollNumber: string;
  readonly onPoll: () => Promise<void>;
}

/** Compares an indexed repository with the registry. @throws when the registry is unreachable */
export async function crawlRepository(context: CrawlContext, name: string): Promise<void> {
  const { database, number } = context;
  await skipUnreadable(context, { repository: name }, () => pollRepository(context, name));
  const { project, repo } = splitName(name);
  await database.change((transaction) => transaction.run(CRAWLED, { number, project, repo }));
}

const CRAWLED = query('model-crawled', (db: Tables, value: { number: string; project: string; repo: string }) =>
  db
    .updateTable('modelRepository')
    .set({ crawl: value.number })
    .where((row) => row.and({ project: value.project, repo: value.repo })),
);

/** Polls every tag in the registry, then tags and versions that exist only in the index. */
async function pollRepository(context: CrawlContext, name: string): Promise<void> {
  const { database, registry, firstPollNumber, log } = context;
  const pagination = new Pagination(MAX_PAGES);
  for (let page: string | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
    const { names, next } = await registry.tags(name, page);
    await pollAll(context, name, names.filter(isTag));
    page = pagination.after(page ?? null, next);
    if (pagination.fault !== undefined)
      log.error({ repository: name, next }, `the list of tags was left: ${pagination.fault}`);
  }
  const { project, repo } = splitName(name);
  // Tags first: a version that lost its last tag is then polled too.
  for (const unseen of [UNSEEN_TAGS, UNSEEN_VERSIONS]) {
    const read = async (after: string) =>
      (await database.run(unseen, { project, repo, firstPollNumber, after })).map(({ reference }) => reference);
    for (let some = await read(''); some.length > 0; some = await read(some.at(-1) ?? ''))
      await pollAll(context, name, some);
  }
}

interface Unseen {
  readonly project: string;
  readonly repo: string;
  readonly firstPollNumber: string;
  readonly after: string;
}

/** Tags not polled since the crawl began. */
const UNSEEN_TAGS = query('model-unseen-tags', (db: Tables, value: Unseen) =>
  db
    .selectFrom('modelTag as t')
    .innerJoin('modelRepository as r', 'r.id', 't.repositoryId')
    .select('t.tag as reference')
    .where((row) => row.and({ 'r.project': value.project, 'r.repo': value.repo }))
    .where('t.pollNumber', '<', value.firstPollNumber)
    .where('t.digest', 'is not', null)
    .where('t.tag', '>', value.after)
    .orderBy('t.tag')
    .limit(200),
);

/** Versions without a tag, not polled since the crawl began. */
const UNSEEN_VERSIONS = query('model-unseen-versions', (db: Tables, value: Unseen) =>
  db
    .selectFrom('modelVersion as v')
    .innerJoin('modelRepository as r', 'r.id', 'v.repositoryId')
    .select('v.digest as reference')
    .where((row) => row.and({ 'r.project': value.project, 'r.repo': value.repo }))
    .where('v.pollNumber', '<', value.firstPollNumber)
    .where('v.digest', '>', value.after)
    .where((row) => row.not(row.exists(row.selectFrom('modelTag as t').whereRef('t.versionId', '=', 'v.id'))))
    .orderBy('v.digest')
    .limit(200),
);

async function pollAll(context: CrawlContext, name: string, references: readonly string[]): Promise<void> {
  const { registry, onPoll } = context;
  const poll = (reference: string) =>
    skipUnreadable(context, { repository: name, reference }, () =>
      pollReference(context, registry, { name, reference }),
    );
  for (let start = 0; start < references.length; start += CONCURRENCY) {
    await Promise.all(references.slice(start, start + CONCURRENCY).map(poll));
    await onPoll();
  }
}

/** Skips what cannot be read, so that it does not block the rest, unless the registry is unreachable. */
async function skipUnreadable(
  { registry, log }: CrawlContext,
  about: object,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnreadable(error) || !(await registry.isThere())) throw error;
    log.warn({ err: error, ...about }, 'what the registry answers cannot be indexed');
  }
}

/** Whether the registry answered unusable data, or data the database cannot store. Source: PostgreSQL, Error Codes, Class 22 */
function isUnreadable(error: unknown): boolean {
  if (error instanceof RegistryFault || errorCode(error) === 'BAD_REQUEST') return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22');
}

const UNVISITED = query('model-unvisited', (db: Tables, value: { crawl: string }) =>
  db
    .selectFrom('modelRepository as r')
    .select(['r.project', 'r.repo'])
    .where('r.crawl', '<', value.crawl)
    .where((row) => {
      const tags = row
        .selectFrom('modelTag as t')
        .whereRef('t.repositoryId', '=', 'r.id')
        .where('t.digest', 'is not', null);
      const versions = row.selectFrom('modelVersion as v').whereRef('v.repositoryId', '=', 'r.id');
      return row.or([row.exists(versions), row.exists(tags)]);
    })
    .orderBy('r.id')
    .limit(4),
);

/** Some indexed repositories that this crawl has not compared; empty: all are compared. */
export async function repositoriesToCrawl(database: Database, crawl: string): Promise<string[]> {
  const rows = await database.run(UNVISITED, { crawl });
  return rows.map(({ project, repo }) => joinName(project, repo));
}
