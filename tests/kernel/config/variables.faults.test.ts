import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd, type ExitResult } from '../../kit/run.js';

const SERVER = ['bundle/platform.js'];

/** Starts that fail: the command, the invalid environment, and a word that the one-line error must contain. */
const BAD_STARTS: readonly [readonly string[], Record<string, string>, string][] = [
  [SERVER, { PORT: 'abc' }, 'PORT'],
  [SERVER, { SUBGRAPHS: 'foo=http://127.0.0.1:1' }, 'SUBGRAPHS'],
  [SERVER, { DEPOSIT_EVM_XPUB: 'xprvhunter2' }, 'DEPOSIT_EVM_XPUB'],
  [SERVER, { DATABASE_URL: 'mysql://user:hunter2@h/d' }, 'DATABASE_URL'],
  [SERVER, { TELEMETRY: 'grpc://collector:4317' }, 'TELEMETRY'],
  [['bundle/subgraph.js', 'accounts'], { SUBGRAPH_SECRET: 's', TELEMETRY: 'http://u:hunter2@h:4318' }, 'TELEMETRY'],
  [['bundle/subgraph.js', 'nothing'], { SUBGRAPH_SECRET: 's' }, 'usage'],
  [['bundle/subgraph.js', 'accounts'], {}, 'SUBGRAPH_SECRET'],
];

describe.each(BAD_STARTS)('%j with %j', (command, env, word) => {
  let dataDir: string;
  let ended: ExitResult;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    ended = await runToEnd(command, { DATA_DIR: dataDir, ...env });
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('exits 1', () => {
    expect(ended.code).toBe(1);
  });

  it(`says why in one line that names ${word}`, () => {
    expect(ended.stderr).toMatch(new RegExp(`^[^\\n]*\\b${word}\\b[^\\n]*\\n$`));
  });

  it('shows no secret', () => {
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });

  it('creates nothing in the data directory', async () => {
    expect(await readdir(dataDir)).toEqual([]);
  });
});
