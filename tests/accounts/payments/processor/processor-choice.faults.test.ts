import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess } from '../../../kit/arrangements.js';
import { newDatabase } from '../../../kit/database/own-database.js';

const LINE = 'PUBLIC_URL is not on loopback: set PAYPROC to sandbox, stripe or off.';

/** Starts an entry on a new database and ends it; returns its refusal to start, or `started`. */
async function start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  try {
    const own = { DATA_DIR: dataDir, DATABASE_URL: await newDatabase(), PORT: `${await freePort()}` };
    const started = await startProcess(command, { ...own, ...env });
    await started.stop();
    return 'started';
  } catch (error) {
    return String(error);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

describe('a platform without PAYPROC', () => {
  it.each(['https://cloud.example', 'http://10.0.2.2:4000', 'http://localhost.example:4000'])(
    'does not start at %s',
    async (url) => {
      const lines = (await start(['bundle/platform.js'], { PUBLIC_URL: url })).split('\n').slice(1);
      expect(lines).toEqual([LINE, '']);
    },
  );

  it.each(['http://localhost:4000', 'http://127.1.2.3', 'http://[::1]:4000'])('starts at %s', async (url) => {
    expect(await start(['bundle/platform.js'], { PUBLIC_URL: url })).toBe('started');
  });

  it('starts at any address where payments belong to another process', async () => {
    const env = { PUBLIC_URL: 'https://cloud.example', SUBGRAPH_SECRET: 'the-secret-of-this-suite' };
    expect(await start(['bundle/subgraph.js', 'network'], env)).toBe('started');
  });
});

describe('a platform with PAYPROC', () => {
  it.each(['sandbox', 'off'])('starts at a public address with "%s"', async (PAYPROC) => {
    expect(await start(['bundle/platform.js'], { PUBLIC_URL: 'https://cloud.example', PAYPROC })).toBe('started');
  });
});
