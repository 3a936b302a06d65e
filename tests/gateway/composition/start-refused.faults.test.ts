import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../kit/arrangements.js';
import { openSmallDisk, type SmallDisk } from '../../kit/blobs/small-disk.js';
import { runCommand, type ExitResult } from '../../kit/run.js';
import { processesThatMention } from '../../kit/watch.js';

let folder: string;
let port: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-refused-'));
  port = await freePort();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** `npm start` without npm, in an environment that only this test has. */
async function start(env: Readonly<Record<string, string>>): Promise<ExitResult> {
  return runCommand(['start'], { PORT: `${port}`, DATA_DIR: join(folder, 'data'), TEST_MARK: folder, ...env });
}

async function expectRefused(ended: ExitResult, lines: readonly RegExp[]): Promise<void> {
  const said = ended.stderr.split('\n').slice(0, -1);
  expect({ code: ended.code, said }).toEqual({ code: 1, said: lines.map((line) => expect.stringMatching(line)) });
  expect(await processesThatMention(folder)).toEqual([]);
}

const made = async (inside = ''): Promise<string[]> => readdir(join(folder, inside));

describe('a start whose port is taken', () => {
  let taken: Server;
  beforeEach(async () => {
    taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
  });
  afterEach(() => void taken.close());

  it('says in one line that PORT is taken, and makes nothing', async () => {
    await expectRefused(await start({}), [/^PORT \d+ is taken by another program on 127\.0\.0\.1/]);
    expect(await made()).toEqual([]);
  });

  it('says in one line each what else is at fault', async () => {
    await expectRefused(await start({ DATA_DIR: '/proc/nowhere' }), [/^PORT /, /^DATA_DIR is \/proc\/nowhere/]);
  });
});

describe('a start whose HOST is not local', () => {
  it.each(['192.0.2.1', 'nowhere.invalid'])('names HOST %s in one line, and makes nothing', async (HOST) => {
    await expectRefused(await start({ HOST }), [new RegExp(`^HOST is "${HOST}", which is no address of this machine`)]);
    expect(await made()).toEqual([]);
  });
});

describe('a start whose DATABASE_URL', () => {
  let silent: Server;
  const accepted: { destroy(): unknown }[] = [];
  beforeAll(async () => {
    silent = createServer((socket) => accepted.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterAll(() => {
    for (const socket of accepted) socket.destroy();
    silent.close();
  });
  const silentPort = () => (silent.address() as AddressInfo).port;

  it('refuses connections names it in one line without the password, and makes nothing', async () => {
    const ended = await start({ DATABASE_URL: `postgres://user:hunter2@127.0.0.1:${await freePort()}/x` });
    await expectRefused(ended, [/^DATABASE_URL: 127\.0\.0\.1:\d+ refuses connections/]);
    expect(ended.stderr).not.toContain('hunter2');
    expect(await made()).toEqual([]);
  });

  it('that is NATS refuses connections names EVENTS_URL in one line, and makes nothing', async () => {
    const ended = await start({ EVENTS_URL: `nats://127.0.0.1:${await freePort()}` });
    await expectRefused(ended, [/^EVENTS_URL: 127\.0\.0\.1:\d+ refuses connections/]);
    expect(await made()).toEqual([]);
  });

  it('is silent names it in one line, and makes nothing', async () => {
    const ended = await start({ DATABASE_URL: `postgres://user:hunter2@127.0.0.1:${silentPort()}/x` });
    await expectRefused(ended, [/^DATABASE_URL: 127\.0\.0\.1:\d+ does not answer within 10 s\.$/]);
    expect(await made()).toEqual([]);
  });

  it('has a wrong password or database names it in one line', async () => {
    const url = new URL(process.env.SHARED_POSTGRES ?? '');
    url.search = '';
    const [password, database] = [new URL(url), new URL(url)];
    password.password = 'hunter2';
    database.pathname = '/nowhere';
    await expectRefused(await start({ DATABASE_URL: password.href }), [
      /^DATABASE_URL: .* refuses the user or the pass/,
    ]);
    await expectRefused(await start({ DATABASE_URL: database.href }), [
      /^DATABASE_URL: .* has no database of that name/,
    ]);
    await expectRefused(await start({ DATABASE_URL: url.href, DATABASE_POOL_URL: database.href }), [
      /^DATABASE_POOL_URL: .* has no database of that name/,
    ]);
    expect(await made()).toEqual([]);
  });
});

describe('a start whose DATA_DIR', () => {
  it('is a file says so in one line, and leaves the file', async () => {
    await writeFile(join(folder, 'data'), 'kept');
    await expectRefused(await start({}), [/^DATA_DIR is .*data, and .*data is no folder\.$/]);
    expect(await made()).toEqual(['data']);
  });

  it('lies below a file says so in one line', async () => {
    await writeFile(join(folder, 'file'), 'kept');
    await expectRefused(await start({ DATA_DIR: join(folder, 'file', 'data') }), [
      /^DATA_DIR is .*file is no folder\.$/,
    ]);
    expect(await made()).toEqual(['file']);
  });

  it('lies where the system keeps no folders says so in one line', async () => {
    for (const DATA_DIR of ['/proc/foo', '/sys/foo'])
      await expectRefused(await start({ DATA_DIR }), [
        new RegExp(`^DATA_DIR is ${DATA_DIR}, where nothing can be kept`),
      ]);
  });

  it('may not be written by the user says so in one line', async () => {
    await mkdir(join(folder, 'data'), { mode: 0o500 });
    // Root may write everywhere, unless it gives that up.
    const before = process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override'] : [];
    const env = { PORT: `${port}`, DATA_DIR: join(folder, 'data'), TEST_MARK: folder };
    const ended = await runCommand(['start'], env, before);
    await chmod(join(folder, 'data'), 0o700);
    await expectRefused(ended, [/^DATA_DIR is .*, where nothing can be kept \(EACCES\)/]);
    expect(await made('data')).toEqual([]);
  });

  describe('is a disk of its own', () => {
    let disk: SmallDisk;
    beforeEach(async () => {
      disk = await openSmallDisk(join(folder, 'data'));
    });
    afterEach(() => disk.close());

    it('that is too small for a database says so in one line, and makes nothing there', async () => {
      const ended = await start({});
      const left = await made('data');
      await expectRefused(ended, [/^DATA_DIR is .*, where \d+ MiB are free: a new database needs 128 MiB\.$/]);
      expect(left).toEqual([]);
    });

    it('that is read-only says so in one line', async () => {
      await disk.lock();
      const ended = await start({});
      await disk.unlock();
      await expectRefused(ended, [/^DATA_DIR is .*, where nothing can be kept \(EROFS\)/]);
    });
  });
});

describe('a start that lacks what it needs outside', () => {
  it('names BLOB_URL in one line where no store answers, and makes nothing', async () => {
    const keys = { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
    const BLOB_URL = `s3://bucket?endpoint=http://127.0.0.1:${await freePort()}`;
    await expectRefused(await start({ ...keys, BLOB_URL }), [
      /^BLOB_URL: the bucket bucket cannot be used: .*ECONNREFUSED/,
    ]);
    expect(await made()).toEqual([]);
  });

  it('names VM_PROVIDER in one line where QEMU is not installed, and makes nothing', async () => {
    const ended = await start({ VM_PROVIDER: 'qemu', PATH: '/nowhere' });
    await expectRefused(ended, [/^VM_PROVIDER is "qemu", and qemu-system-x86_64 cannot be run: install QEMU/]);
    expect(await made()).toEqual([]);
  });
});

describe('a start with several variables at fault', () => {
  it('says all of them, a line each, and makes nothing', async () => {
    const ended = await start({ PORT: 'abc', LOG_LEVEL: 'loud', DATA_KEY: 'short', VM_PROVIDER: 'cloud' });
    await expectRefused(ended, [/^PORT /, /^DATA_KEY /, /^LOG_LEVEL /, /^VM_PROVIDER /]);
    expect(await made()).toEqual([]);
  });
});
