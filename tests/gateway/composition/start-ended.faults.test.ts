import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { freePort, startInProcess } from '../../kit/arrangements.js';
import { spawnCommand, spawnPiped, toEnd, type ExitResult } from '../../kit/run.js';
import { processesThatMention, until } from '../../kit/watch.js';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-ended-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts the platform, sends the signal as soon as the moment has come, and waits for the end. */
async function endAt(
  moment: (output: () => string) => Promise<boolean>,
  { signal = 'SIGTERM', env = {} }: { signal?: NodeJS.Signals; env?: Record<string, string> } = {},
): Promise<ExitResult> {
  const mark = { PORT: `${await freePort()}`, DATA_DIR: dataDir, TEST_MARK: folder };
  const child = spawnCommand(['start'], { ...mark, ...env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = toEnd(child);
  await until(async () => child.exitCode !== null || (await moment(() => output)), 60_000);
  child.kill(signal);
  return ended;
}

const homeHolds = (name: RegExp, inside = '') =>
  readdir(join(dataDir, 'postgres', inside)).then(
    (names) => names.some((found) => name.test(found)),
    () => false,
  );
const hasSaid = (line: RegExp) => (output: () => string) => Promise.resolve(line.test(output()));

async function expectEnded({ code, stdout, stderr }: ExitResult): Promise<void> {
  expect({ code, stderr, isReady: /ready/.test(stdout) }).toEqual({ code: 0, stderr: '', isReady: false });
  expect(await processesThatMention(folder)).toEqual([]);
}

describe('a signal during the start', () => {
  it('ends it while PostgreSQL is asked whether it answers', async () => {
    const asked: unknown[] = [];
    const silent = createServer((socket) => asked.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const env = { DATABASE_URL: `postgres://user@127.0.0.1:${(silent.address() as AddressInfo).port}/x` };
    await expectEnded(await endAt(() => Promise.resolve(asked.length > 0), { env }));
    silent.close();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends it by %s while the database is being made, and leaves no part of it',
    async (signal) => {
      const ended = await endAt(() => homeHolds(/^data\.new-/), { signal });
      await expectEnded(ended);
      expect(ended.stdout).not.toContain('PostgreSQL created');
      expect((await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('data'))).toEqual([]);
    },
  );

  it('ends it while PostgreSQL starts', async () => {
    const ended = await endAt(() => homeHolds(/^postmaster\.pid$/, 'data'));
    await expectEnded(ended);
    expect(await homeHolds(/^postmaster\.pid$/, 'data')).toBe(false);
  });

  it('ends it while the schemas are brought up to date, and the next start goes on from there', async () => {
    const ended = await endAt(hasSaid(/^database \d+ ms$/m));
    await expectEnded(ended);
    expect(ended.stdout).not.toContain('gateway');
    const next = await startInProcess({ DATA_DIR: dataDir });
    expect(next.processes[0]?.output()).toContain('ready after ');
    expect(await next.processes[0]?.stop()).toBe(0);
  });

  it('ends it while the gateway opens', async () => {
    await expectEnded(await endAt(hasSaid(/^subgraphs \d+ ms$/m)));
  });
});

/** An npm whose installation never ends, as one without a network may. */
const ENDLESS_NPM = `
  import { writeFileSync } from 'node:fs';
  console.log('npm notice');
  console.error('npm warn EBADENGINE');
  writeFileSync(process.argv[process.argv.indexOf('--prefix') + 1] + '/words', process.argv.slice(2).join(' '));
  setInterval(() => undefined, 60_000);
`;

describe('an installation', () => {
  beforeEach(async () => {
    await mkdir(dataDir);
    for (const name of ['scripts', 'package.json', 'package-lock.json'])
      await cp(join(packageRoot(), name), join(folder, name), { recursive: true });
    await writeFile(join(folder, 'npm-cli.js'), ENDLESS_NPM);
  });

  const install = async (): Promise<ExitResult> => {
    const env = { npm_execpath: join(folder, 'npm-cli.js'), TEST_MARK: folder };
    const child = spawnPiped([process.execPath, join(folder, 'scripts/run.js'), 'start'], env);
    const ended = toEnd(child);
    await until(() =>
      readFile(join(folder, 'words')).then(
        () => true,
        () => false,
      ),
    );
    child.kill('SIGTERM');
    return ended;
  };

  it('is ended by a signal at once, and leaves no process', async () => {
    await install();
    expect(await processesThatMention(folder)).toEqual([]);
  });

  it('says one line of ours on standard error, and nothing of what npm has to say short of an error', async () => {
    const { stdout, stderr } = await install();
    expect([stdout, stderr]).toEqual([
      '',
      expect.stringMatching(/^installing packages: [^\n]*\nnpm warn EBADENGINE\n$/),
    ]);
    expect(await readFile(join(folder, 'words'), 'utf8')).toMatch(/^ci .*--loglevel=error --no-progress/);
  });
});
