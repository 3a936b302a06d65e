import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { withRowBudget } from '../../../kernel/database/row-budget.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { METRICS } from '../../../kernel/telemetry/metrics.js';
import { PostgresPair } from '../../cluster/postgres.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { valueOf } from '../../kit/telemetry/metrics.js';
import { call } from '../../kit/platform.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { DEFAULT_HASH } from '../../kit/files/sync.js';
import { grant, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { Undoing, until } from '../../overlay/processes.js';

const undoing = new Undoing();
let folder: string;
let postgres: PostgresPair;
let platform: RunningPlatform;
let user: SignedIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-replica-'));
  postgres = await PostgresPair.start(folder, undoing, false);
  const [primary, standby] = postgres.urls;
  platform = await startInProcess({ DATABASE_URL: primary, DATABASE_REPLICA_URL: standby });
  user = await signIn(undefined, platform.url);
  await grant(user, '1000', platform.url);
  await call('POST /register_folder', {
    url: platform.url,
    token: user.token,
    body: { label: 'default', folder_hash: DEFAULT_HASH },
  });
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await undoing.run();
  await rm(folder, { recursive: true, force: true });
});

let stored = 0;

/** Uploads a file, and counts the files that a search finds at once. */
async function storeAndSearch(): Promise<void> {
  expect((await storeFile(user, { url: platform.url })).reply.status).toBe(200);
  stored += 1;
  const { body } = await call(`GET /search_files/${user.substrateAddress}`, { token: user.token, url: platform.url });
  expect(body.Success.total_count).toBe(stored);
}

/** Reads for the replica with this outcome. */
async function reads(outcome: string): Promise<number> {
  const { text } = await call('GET /metrics', { url: platform.url });
  return valueOf(text, `database_replica_reads_total{subgraph="sync",outcome="${outcome}"}`) ?? 0;
}

/** Repeats the upload and its search until a search had this outcome. */
async function untilOutcome(outcome: string): Promise<void> {
  const before = await reads(outcome);
  await until(outcome, 30_000, async () => {
    await storeAndSearch();
    return (await reads(outcome)) > before || undefined;
  });
}

describe('searches with a replica', () => {
  it('are answered by it, and find what was stored just before', async () => {
    for (let i = 0; i < 20; i += 1) await storeAndSearch();
    await untilOutcome('answered');
    expect(await reads('failed')).toBe(0);
  });

  it('are answered by the primary while it is late', async () => {
    await postgres.ask(1, 'SELECT pg_wal_replay_pause()');
    await untilOutcome('late');
    await postgres.ask(1, 'SELECT pg_wal_replay_resume()');
    await untilOutcome('answered');
  });

  it('are answered by the primary while it is gone', async () => {
    await postgres.standby.end('SIGKILL');
    await untilOutcome('failed');
    postgres.standby.start();
    await untilOutcome('answered');
  });
});

describe('a read of too many rows', () => {
  let database: Database;
  beforeAll(() => {
    const [url, replicaUrl] = postgres.urls;
    database = connectDatabase({ url, replicaUrl, schema: 'sync', log: openLog('silent', 'tests') });
  });
  afterAll(() => database.close());

  const isReplica = async () => {
    const [row] = await database.snapshot((snapshot) =>
      snapshot.execute<{ is: boolean }>('SELECT pg_is_in_recovery() AS is'),
    );
    return row?.is;
  };
  /** A query that reads so much, and then does the rest. */
  const readMiB = (mib: number, rest?: () => Promise<unknown>) =>
    withRowBudget(async () => {
      await database.snapshot((snapshot) => snapshot.execute(`SELECT repeat('x', ${mib} * 1024 * 1024)`));
      await rest?.();
    });

  it.each([
    { reason: 'of the read', read: () => readMiB(65), refusal: /has more than 64 MiB/ },
    {
      reason: 'of all that run',
      read: () => readMiB(60, () => readMiB(60, () => readMiB(20))),
      refusal: /Too many large answers/,
    },
  ])(
    'above the maximum $reason is refused, and is no failure of the replica, which would be left for a second',
    async ({ read, refusal }) => {
      await until('the replica', 30_000, async () => (await isReplica()) || undefined);
      await expect(read()).rejects.toThrow(refusal);
      expect(await METRICS.text('prometheus')).not.toMatch(/^database_replica_reads_total\{.*outcome="failed"/m);
    },
  );
});
