import type { Database } from '../../../../kernel/database/database.js';
import { errorCode } from '../../../../kernel/errors.js';
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
const AT_ONCE = 4;

/** Context for comparing a repository during a crawl. */
export interface CrawlContext extends Pick<InfrastructureRuntime, 'database' | 'now' | 'log'> {
  readonly registry: Registry;
  /** Number of the crawl. */
  readonly number: string;
  /** Poll number at the start of the crawl. */
  readonly firstLook: string;
  readonly onPoll: () => Promise<void>;
}

/** Compares an indexed repository with the registry. @throws when the registry is unreachable */
export async function crawlRepository(context: CrawlContext, name: string): Promise<void> {
  const { database, number } = context;
  await skipUnreadable(context, { repository: name }, () => pollRepository(context, name));
  const { project, repo } = splitName(name);
  await database.change((transaction) =>
    transaction.execute('UPDATE infrastructure.model_repository SET crawl = $1 WHERE project = $2 AND repo = $3', [
      number,
      project,
      repo,
    ]),
  );
}

/** Polls every tag in the registry, then tags and versions that exist only in the index. */
async function pollRepository(context: CrawlContext, name: string): Promise<void> {
  const { database, registry, firstLook, log } = context;
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
      (await database.rows<{ reference: string }>(unseen, [project, repo, firstLook, after])).map(
        (row) => row.reference,
      );
    for (let some = await read(''); some.length > 0; some = await read(some.at(-1) ?? ''))
      await pollAll(context, name, some);
  }
}

/** Tags not polled since the crawl began. */
const UNSEEN_TAGS = {
  name: 'model-unseen-tags',
  text: `
  SELECT t.tag AS reference FROM infrastructure.model_tag t JOIN infrastructure.model_repository r ON r.id = t.repository_id
   WHERE r.project = $1 AND r.repo = $2 AND t.look < $3 AND t.digest IS NOT NULL AND t.tag > $4 ORDER BY t.tag LIMIT 200`,
};

/** Versions without a tag, not polled since the crawl began. */
const UNSEEN_VERSIONS = {
  name: 'model-unseen-versions',
  text: `
  SELECT v.digest AS reference FROM infrastructure.model_version v JOIN infrastructure.model_repository r ON r.id = v.repository_id
   WHERE r.project = $1 AND r.repo = $2 AND v.look < $3 AND v.digest > $4
     AND NOT EXISTS (SELECT 1 FROM infrastructure.model_tag t WHERE t.version_id = v.id) ORDER BY v.digest LIMIT 200`,
};

async function pollAll(context: CrawlContext, name: string, references: readonly string[]): Promise<void> {
  const { registry, onPoll } = context;
  const look = (reference: string) =>
    skipUnreadable(context, { repository: name, reference }, () =>
      pollReference(context, registry, { name, reference }),
    );
  for (let start = 0; start < references.length; start += AT_ONCE) {
    await Promise.all(references.slice(start, start + AT_ONCE).map(look));
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

const UNVISITED = {
  name: 'model-unvisited',
  text: `
  SELECT r.project, r.repo FROM infrastructure.model_repository r
   WHERE r.crawl < $1
     AND (EXISTS (SELECT 1 FROM infrastructure.model_version v WHERE v.repository_id = r.id)
       OR EXISTS (SELECT 1 FROM infrastructure.model_tag t WHERE t.repository_id = r.id AND t.digest IS NOT NULL))
   ORDER BY r.id LIMIT 4`,
};

/** Some indexed repositories that this crawl has not compared; empty: all are compared. */
export async function repositoriesToCrawl(database: Database, crawl: string): Promise<string[]> {
  const rows = await database.rows<{ project: string; repo: string }>(UNVISITED, [crawl]);
  return rows.map(({ project, repo }) => joinName(project, repo));
}
