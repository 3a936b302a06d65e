import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../../kernel/database/postgres/embedded.js';
import { findPostmaster } from '../../../kernel/database/postgres/postmaster.js';
import { ask, end, isRunning, modeOf, until } from '../../kit/watch.js';

const BUILD = `import { build } from './scripts/build.js'; await build();`;

// A process of ours: opens the cluster, tells how, and stops when told to.
const OWNER_PROCESS = `
  import { openEmbeddedPostgres } from './dist/kernel/database/postgres/embedded.js';
  const postgres = await openEmbeddedPostgres({ dataDir: process.argv[1], log: () => undefined });
  process.on('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 60_000);
  console.log(postgres.how + ' ' + postgres.url);
`;

interface Owner {
  child: ChildProcess;
  how: string;
  url: string;
}

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  let clusterDir: string;
  let lines: string[];
  let opened: EmbeddedPostgres[];
  let owners: ChildProcess[];

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUILD]);
  });

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'archipelago data '));
    clusterDir = path.join(dataDir, 'postgres', 'data');
    lines = [];
    opened = [];
    owners = [];
  });

  afterEach(async () => {
    for (const postgres of opened) await postgres.stop();
    for (const child of owners) await end(child, 'SIGKILL');
    const left = await findPostmaster(clusterDir);
    if (left) process.kill(left.pid, 'SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });

  const open = async (): Promise<EmbeddedPostgres> => {
    const postgres = await openEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    opened.push(postgres);
    return postgres;
  };

  const startOwner = async (): Promise<Owner> => {
    const words = ['--input-type=module', '-e', OWNER_PROCESS, dataDir];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    owners.push(child);
    const [line = '']: string[] = await once(createInterface(child.stdout), 'line');
    const [how = '', url = ''] = line.split(' ');
    return { child, how, url };
  };

  const runningPid = async (): Promise<number> => {
    const running = await findPostmaster(clusterDir);
    if (!running) throw new Error('no postmaster runs');
    return running.pid;
  };

  it('makes the cluster at the first start and starts it at the second', async () => {
    const first = await open();
    await first.stop();
    const second = await open();

    expect([first.how, second.how]).toEqual(['created', 'started']);
  });

  it('keeps directories to the owner and the password unreadable to others', async () => {
    await open();
    const modes = await Promise.all(
      ['postgres', 'postgres/data', 'postgres/password', 'postgres/log'].map((name) =>
        modeOf(path.join(dataDir, name)),
      ),
    );

    expect(modes).toEqual(['700', '700', '600', '600']);
  });

  it('folds the case of letters outside ASCII', async () => {
    const { url } = await open();

    expect(await ask(url, `SELECT lower('ÅÉЖ')`)).toBe('åéж');
  });

  it('leaves nothing running and no pid file after stop', async () => {
    const postgres = await open();
    const pid = await runningPid();
    await postgres.stop();

    expect(await findPostmaster(clusterDir)).toBeUndefined();
    expect(await readdir(clusterDir)).not.toContain('postmaster.pid');
    expect(await isRunning(pid)).toBe(false);
  });

  it('keeps committed data and its port when the postmaster is killed', async () => {
    const { url } = await open();
    await ask(url, 'CREATE TABLE island AS SELECT 7 AS number');
    const killed = await runningPid();
    process.kill(killed, 'SIGKILL');
    await until(async () => lines.length === 2);

    expect(await ask(url, 'SELECT number FROM island')).toBe(7);
    expect(await runningPid()).not.toBe(killed);
  });

  it('starts again beside the busy child of a killed postmaster', async () => {
    const { url } = await open();
    const busy = ask(url, `DO $$ BEGIN FOR i IN 1..2000000000 LOOP END LOOP; END $$`).catch(() => 'cut off');
    await until(
      async () => (await ask(url, `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE 'DO%'`)) === 1,
    );
    process.kill(await runningPid(), 'SIGKILL');

    expect(await busy).toBe('cut off');
    await until(async () => lines.length === 2);
    expect(await ask(url, 'SELECT 1')).toBe(1);
  });

  it('is adopted by the next start when its parent is killed', async () => {
    const parent = await startOwner();
    await ask(parent.url, 'CREATE TABLE island AS SELECT 7 AS number');
    const pid = await runningPid();
    await end(parent.child, 'SIGKILL');
    const next = await open();

    expect(next.how).toBe('attached');
    expect(await runningPid()).toBe(pid);
    expect(await ask(next.url, 'SELECT number FROM island')).toBe(7);
    await next.stop();
    expect(await findPostmaster(clusterDir)).toBeUndefined();
  });

  it('is shared by processes that start at once', async () => {
    const owned = await Promise.all([startOwner(), startOwner(), open()]);

    expect(owned.map(({ how }) => how).toSorted()).toEqual(['attached', 'attached', 'created']);
    expect(new Set(owned.map(({ url }) => new URL(url).port)).size).toBe(1);
  });

  it('runs until the last of its processes stops', async () => {
    const [first, second] = [await startOwner(), await startOwner()];
    await end(first.child, 'SIGTERM');
    expect(await ask(second.url, 'SELECT 1')).toBe(1);
    await end(second.child, 'SIGTERM');

    expect(await findPostmaster(clusterDir)).toBeUndefined();
  });

  it('stops when all its processes stop at once', async () => {
    const all = [await startOwner(), await startOwner(), await startOwner()];
    await Promise.all(all.map(({ child }) => end(child, 'SIGTERM')));

    expect(await findPostmaster(clusterDir)).toBeUndefined();
  });

  it('is started again by a process that only joined it', async () => {
    const starter = await startOwner();
    const { url } = await open();
    await end(starter.child, 'SIGKILL');
    process.kill(await runningPid(), 'SIGKILL');
    await until(async () => lines.length === 2);

    expect(await ask(url, 'SELECT 1')).toBe(1);
  });

  it('does not take a half-made cluster for a whole one', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', OWNER_PROCESS, dataDir], { stdio: 'ignore' });
    owners.push(child);
    const home = path.dirname(clusterDir);
    await until(async () => (await readdir(home).catch(() => [])).some((name) => name.startsWith('data.new-')));
    await end(child, 'SIGKILL');
    const next = await open();

    expect(next.how).toBe('created');
    expect(await ask(next.url, 'SELECT 1')).toBe(1);
    expect((await readdir(home)).filter((name) => name.startsWith('data'))).toEqual(['data']);
  });

  it('leaves alone a stranger whose pid stands in postmaster.pid', async () => {
    const first = await open();
    await first.stop();
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    owners.push(stranger);
    const content = [stranger.pid, clusterDir, 1, 5432, '', '127.0.0.1', '', 'ready', ''].join('\n');
    await writeFile(path.join(clusterDir, 'postmaster.pid'), content);
    const second = await open();

    expect(second.how).toBe('started');
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('says in one line why it does not start', async () => {
    const first = await open();
    await first.stop();
    await rm(path.join(clusterDir, 'global', 'pg_control'));

    await expect(open()).rejects.toThrow(/^PostgreSQL does not start: .*pg_control.*$/);
  });

  it('does not write to its log what it answers: errors that clients can cause without end', async () => {
    const { url } = await open();
    const log = path.join(dataDir, 'postgres', 'log');
    await expect(ask(url, 'SELECT 1 / 0')).rejects.toThrow('division by zero');
    await expect(ask(url, 'DO $$ BEGIN RAISE WARNING $q$division$q$; END $$')).resolves.toBeUndefined();

    expect(await readFile(log, 'utf8')).not.toContain('division');
  });

  it('empties a log that has grown beyond ten megabytes at the next start', async () => {
    const log = path.join(dataDir, 'postgres', 'log');
    await mkdir(path.dirname(log), { recursive: true, mode: 0o700 });
    await writeFile(log, Buffer.alloc(11 * 1024 * 1024, '.\n'), { mode: 0o600 });
    await open();

    expect((await readFile(log)).length).toBeLessThan(64 * 1024);
  });
});
