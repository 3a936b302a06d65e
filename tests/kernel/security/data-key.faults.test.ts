import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../kernel/config/config.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { recordDataKeys, releaseDataKeys } from '../../../kernel/security/data-key.actions.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { freePort, SUBGRAPH_SECRET, startProcess } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';

const WARNING =
  /^Secrets in the database may be encrypted by a key that (.*) lacks: set DATA_KEY to the same value in every process\. npm run secrets:reseal ends this warning if it can read all of them\.$/;
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

  /** Starts with these keys. Returns what lacks a key; undefined: nothing. */
  const start = (...dataKeys: Key[]) => startIn('/nowhere', ...dataKeys);
  const startIn = async (dataDir: string, ...dataKeys: Key[]) => {
    const warning = await recordDataKeys(database, { dataKeys, dataDir });
    return warning === undefined ? undefined : WARNING.exec(warning)?.[1];
  };
  const reseal = (...dataKeys: Key[]) => releaseDataKeys(database, { dataKeys, dataDir: '/nowhere' });

  it('is complete for the key of its first start, and for no other', async () => {
    expect([await start(KEY), await start(KEY), await start(FOREIGN)]).toEqual([undefined, undefined, 'DATA_KEY']);
    expect(await start(KEY)).toBe('DATA_KEY');
  });

  it('is complete for one of several keys that start at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => start(randomBytes(32))));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
  });

  it('names the key file that lacks a key', async () => {
    const folders = ['first', 'second'].map((name) => join(root, name));
    for (const dataDir of folders) await openSecretBox({ dataKeys: [], dataDir });
    const outcomes = [await startIn(folders[0] ?? ''), await startIn(folders[1] ?? '')];
    expect(outcomes).toEqual([undefined, join(root, 'second/data-key')]);
  });

  it('is complete for both keys during a rotation, and for each alone only when it encrypts everything', async () => {
    await start(KEY);
    expect([await start(KEY, LATER), await start(LATER, KEY), await start(KEY, LATER)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([await start(KEY), await start(LATER)]).toEqual(['DATA_KEY', 'DATA_KEY']);
    await reseal(LATER, KEY);
    expect([await start(LATER), await start(KEY)]).toEqual([undefined, 'DATA_KEY']);
  });

  it('needs all keys of its first start until the first encrypts everything', async () => {
    await start(KEY, LATER);
    expect([await start(KEY), await start(LATER)]).toEqual(['DATA_KEY', 'DATA_KEY']);
    await reseal(KEY, LATER);
    expect(await start(KEY)).toBeUndefined();
  });

  it('forgets a key that was used by mistake when another encrypts everything', async () => {
    await start(KEY);
    await start(FOREIGN);
    await reseal(KEY);
    expect([await start(KEY), await start(FOREIGN)]).toEqual([undefined, 'DATA_KEY']);
  });
});

describe('a process of a subgraph', () => {
  it('whose key file differs from the keys of the database says so when it starts', async () => {
    const command = ['bundle/subgraph.js', 'network'];
    const shared = { DATABASE_URL: await newDatabase(), SUBGRAPH_SECRET };
    const envOf = async (name: string) => ({ ...shared, DATA_DIR: join(root, name), PORT: `${await freePort()}` });
    const processes = [await startProcess(command, await envOf('a')), await startProcess(command, await envOf('b'))];
    await Promise.all(processes.map((process) => process.stop()));
    const warnings = processes.map(({ output }) =>
      output()
        .split('\n')
        .filter((line) => line.includes('may be encrypted by a key that')),
    );
    expect(warnings).toEqual([[], [expect.stringContaining(join(root, 'b/data-key'))]]);
  }, 60_000);
});
