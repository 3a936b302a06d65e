import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { InfrastructureRuntime } from '../../services.js';
import { RegistryFault } from '../registry/body.js';
import { claimCrawl, finishCrawl, saveCrawl, leaveCrawl, type CrawlState } from './crawl-state.actions.js';
import { isName } from '../model/name.rules.js';
import type { Registry } from '../registry/registry.js';
import { Pagination } from './pagination.js';
import { repositoriesToCrawl, crawlRepository, type CrawlContext } from './repository.actions.js';

/** Maximum number of catalogue pages: a million repositories at the requested page size. */
const MAX_PAGES = 10_000;

/** Repositories compared concurrently. */
const CONCURRENCY = 4;

/** Milliseconds after which a run leaves the rest to the next run. */
const MAX_RUN_MS = 200_000;

/** Milliseconds between two renewals of the lease during a crawl. */
const LEASE_RENEWAL_MS = 15_000;

/** Compares the index with the whole registry, to find changes and deletions that notifications missed. */
export const CRAWL_MODELS: JobDefinition<InfrastructureRuntime> = {
  name: 'crawl-models',
  cron: '* * * * *',
  runsAtStart: true,
  queue: 'storage',
  work: async (_data, runtime) => {
    const { registry } = runtime.services;
    try {
      if (registry) await crawl(runtime, registry);
    } catch (error) {
      // The next run continues here, so the job is not retried.
      runtime.log.error({ err: error }, 'the registry could not be crawled');
    }
  },
};

async function crawl(runtime: InfrastructureRuntime, registry: Registry): Promise<void> {
  const { database, now } = runtime;
  const endMs = now().getTime() + MAX_RUN_MS;
  for (let state = await claimCrawl(database, now()); state; state = await claimCrawl(database, now())) {
    const run = new CrawlRun(runtime, registry, state);
    try {
      await run.go(endMs);
    } finally {
      await leaveCrawl(database, state);
    }
    if (now().getTime() >= endMs) return;
  }
}

/** Thrown when another process has taken over the crawl. */
class LeaseLost extends Error {}

/** One run of a crawl, until it is complete or its time is up. */
class CrawlRun {
  private signedAtMs: number;
  private readonly pagination: Pagination;

  constructor(
    private readonly runtime: InfrastructureRuntime,
    private readonly registry: Registry,
    private state: CrawlState,
  ) {
    this.signedAtMs = runtime.now().getTime();
    this.pagination = new Pagination(MAX_PAGES, state.pages);
  }

  async go(endMs: number): Promise<void> {
    const { database, now } = this.runtime;
    const isTimeUp = () => now().getTime() >= endMs;
    while (!this.state.isCatalogueDone && !isTimeUp()) await this.crawlPage(isTimeUp);
    if (!this.state.isCatalogueDone) return;
    // Indexed repositories that the registry did not list.
    for (let names = await this.repositoriesToCrawl(); names.length > 0; names = await this.repositoriesToCrawl()) {
      if (isTimeUp()) return;
      await this.crawlAll(names);
    }
    await finishCrawl(database, this.state, now());
  }

  private async crawlPage(isTimeUp: () => boolean): Promise<void> {
    const { page, lastRepository } = this.state;
    const listed = (await this.readPage(page)) ?? { names: [], next: undefined };
    const names = listed.names.slice(lastRepository === null ? 0 : listed.names.indexOf(lastRepository) + 1);
    for (let start = 0; start < names.length; start += CONCURRENCY) {
      const some = names.slice(start, start + CONCURRENCY);
      await this.crawlAll(some.filter(isName));
      await this.keep({ lastRepository: some.at(-1) ?? null });
      if (isTimeUp()) return;
    }
    const next = this.pagination.after(page, listed.next);
    const { fault, pages } = this.pagination;
    if (fault !== undefined) this.runtime.log.error({ page, next: listed.next }, `the catalogue was left: ${fault}`);
    await this.keep({ page: next ?? null, lastRepository: null, isCatalogueDone: next === undefined, pages });
  }

  /** Restarts the catalogue when the registry no longer accepts a page address it returned before. */
  private async readPage(page: string | null) {
    try {
      return await this.registry.repositories(page);
    } catch (error) {
      const isRefused = error instanceof RegistryFault && error.status !== undefined && error.status < 500;
      if (isRefused && page !== null && error.status !== 429) await this.keep({ page: null, lastRepository: null });
      throw error;
    }
  }

  private async crawlAll(names: readonly string[]): Promise<void> {
    const { database, now, log } = this.runtime;
    const { number, firstPollNumber } = this.state;
    const onPoll = () => this.sign();
    const context: CrawlContext = { database, now, log, registry: this.registry, number, firstPollNumber, onPoll };
    await Promise.all(names.map((name) => crawlRepository(context, name)));
  }

  private repositoriesToCrawl(): Promise<string[]> {
    return repositoriesToCrawl(this.runtime.database, this.state.number);
  }

  /** Renews the lease of the crawl from time to time. */
  private async sign(): Promise<void> {
    const nowMs = this.runtime.now().getTime();
    if (nowMs - this.signedAtMs >= LEASE_RENEWAL_MS) await this.keep({});
  }

  private async keep(progress: Partial<CrawlState>): Promise<void> {
    const { database, now } = this.runtime;
    this.state = { ...this.state, ...progress };
    this.signedAtMs = now().getTime();
    if (!(await saveCrawl(database, this.state, now()))) throw new LeaseLost('another process crawls');
  }
}
