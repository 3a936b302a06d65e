import { expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from '../../../gateway/composition/data-directory.js';
import { platformConfig } from '../../kit/config.js';

const WARNING = expect.stringMatching(/^ {2}warning {5}ADMIN_TOKEN has fewer than 16 characters/);

it.each([
  ['abc', [WARNING]],
  ['fifteen-letters', [WARNING]],
  ['sixteen-letters-', []],
  ['', []],
])('an ADMIN_TOKEN %j is accepted, with a warning if it is short', async (token, warnings) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-admin-token-'));
  const lines: string[] = [];
  const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1/none', ADMIN_TOKEN: token };
  try {
    const opening = openDataDirectory(
      platformConfig(env),
      ['accounts'],
      (line) => lines.push(line),
      AbortSignal.timeout(5_000),
    );
    const opened = await opening;
    await opened.close();
    expect([opened.adminToken?.replacesOthers, lines]).toEqual([token !== '', warnings]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
