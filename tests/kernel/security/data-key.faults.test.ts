import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../kernel/config/config.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { claimDataKeys, releaseDataKeys } from '../../../kernel/security/data-key.actions.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { freePort, SUBGRAPH_SECRET, startProcess } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { runToEnd } from '../../kit/run.js';

const REFUSED =
  /^The database has secrets encrypted by a key that (.*) lacks: set DATA_KEY to the same value in every process, and remove a key only after npm run secrets:reseal\.$/;
type Key = Config['dataKeys'][number];
const [KEY, LATER, FOREIGN] = [randomBytes(32), randomBytes(32), randomBytes(32)];

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the database of a subgraph', () => {
  let database: Database;
  beforeEach(async () => {
    database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'tests') });
  });
  afterEach(() => database.close());

  /** Starts with these keys. Returns what lacks a key, or `accepted`. */
  const start = (...dataKeys: Key[]) => startIn('/nowhere', ...dataKeys);
  const startIn = (dataDir: string, ...dataKeys: Key[]): Promise<string | undefined> =>
    claimDataKeys(database, { dataKeys, dataDir }).then(
      () => 'accepted',
      (error: Error) => REFUSED.exec(error.message)?.[1] ?? error.message,
    );
  const reseal = (...dataKeys: Key[]) => releaseDataKeys(database, { dataKeys, dataDir: '/nowhere' });

  it('accepts the key of its first start again, and no other', async () => {
    expect([await start(KEY), await start(KEY), await start(FOREIGN)]).toEqual(['accepted', 'accepted', 'DATA_KEY']);
  });

  it('accepts one of several keys that start at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => start(randomBytes(32))));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
  });

  it('refuses the key file of another folder by its name', async () => {
    const folders = ['first', 'second'].map((name) => join(root, name));
    for (const dataDir of folders) await openSecretBox({ dataKeys: [], dataDir });
    const outcomes = [await startIn(folders[0] ?? ''), await startIn(folders[1] ?? '')];
    expect(outcomes).toEqual(['accepted', join(root, 'second/data-key')]);
  });

  it('accepts both keys during a rotation, and each alone only when it encrypts everything', async () => {
    await start(KEY);
    expect([await start(KEY, LATER), await start(LATER, KEY), await start(KEY, LATER)]).toEqual(
      Array.from({ length: 3 }, () => 'accepted'),
    );
    expect([await start(KEY), await start(LATER)]).toEqual(['DATA_KEY', 'DATA_KEY']);
    await reseal(LATER, KEY);
    expect([await start(KEY), await start(LATER)]).toEqual(['DATA_KEY', 'accepted']);
  });

  it('needs both keys when secrets are sealed by a key that no process has first', async () => {
    await start(KEY, LATER);
    await reseal(LATER, KEY);
    expect([await start(KEY), await start(LATER), await start(KEY, LATER)]).toEqual([
      'DATA_KEY',
      'DATA_KEY',
      'accepted',
    ]);
  });

  it('is not taken over by a key that seals nothing in it', async () => {
    await reseal(FOREIGN);
    await start(KEY);
    await reseal(FOREIGN);
    expect([await start(FOREIGN), await start(KEY)]).toEqual(['DATA_KEY', 'accepted']);
  });
});

describe('a process of a subgraph', () => {
  it('whose key file differs from the keys of the database does not start, and says so in one line', async () => {
    const command = ['gateway/entrypoints/subgraph.js', 'network'];
    const shared = { DATABASE_URL: await newDatabase(), SUBGRAPH_SECRET };
    const envOf = async (name: string) => ({ ...shared, DATA_DIR: join(root, name), PORT: `${await freePort()}` });
    const first = await startProcess(command, await envOf('a'));
    const { code, stderr } = await runToEnd(command, await envOf('b'));
    await first.stop();
    expect([code, stderr.split('\n')]).toEqual([1, [expect.stringMatching(REFUSED), '']]);
  }, 60_000);
});
