import { describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POOL_SIZE } from '../../../kernel/config/config.js';
import type { JobDefinition } from '../../../kernel/jobs/jobs.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { openSubgraph } from '../../../kernel/subgraph/open-subgraph.js';
import type { SubgraphManifest } from '../../../kernel/subgraph/subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { sync } from '../../../subgraphs/sync/subgraph.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { ask, until } from '../../kit/watch.js';

const CONNECTIONS = `SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** The sync subgraph with this one job and this step of its start, on a database of its own. */
async function start(databaseUrl: string, change: Pick<SubgraphManifest, 'jobs' | 'prepare'>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const config = { dataDir, blobStore: undefined, databasePoolSize: POOL_SIZE };
  const settings = { config, publicUrl: 'http://127.0.0.1', now: () => new Date(), log: openLog('silent', 'tests') };
  const rest = {
    databaseUrl,
    eventsUrl: undefined,
    trace: undefined,
    callSubgraph: () => Promise.reject(new Error('alone')),
  };
  try {
    return await openSubgraph({ ...sync, ...change }, { ...settings, ...rest } as never);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const atStart = (work: JobDefinition<Runtime>['work']) => (): readonly JobDefinition<Runtime>[] => [
  { name: 'at-start', runsAtStart: true, work },
];

describe('a subgraph', () => {
  it('whose start fails has begun no job and leaves no connection', async () => {
    const databaseUrl = await newDatabase();
    const ran: string[] = [];
    const started = start(databaseUrl, {
      jobs: atStart(async () => void ran.push('job')),
      prepare: async ({ database, jobs }) => {
        await database.change((transaction) => jobs.enqueue(transaction, 'at-start', {}));
        throw new Error('the start fails');
      },
    });
    await expect(started).rejects.toThrow('the start fails');
    expect([ran, await ask(databaseUrl, CONNECTIONS)]).toEqual([[], 0]);
  });

  it('is prepared when it opens, and begins its jobs when it is told to, after the server listens', async () => {
    const order: string[] = [];
    const subgraph = await start(await newDatabase(), {
      jobs: atStart(async () => void order.push('job')),
      prepare: async () => void order.push('prepared'),
    });
    expect(order).toEqual(['prepared']);
    await subgraph.startJobs();
    await until(async () => order.length === 2);
    await subgraph.close();
    expect(order).toEqual(['prepared', 'job']);
  });
});
