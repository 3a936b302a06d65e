import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { machineIn, machineOf, spawn } from '../../kit/machines/machine.js';
import { configurationOf, enrolledMachine, hashOf } from '../../kit/network/network.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { runToEnd, type ExitResult } from '../../kit/run.js';
import { storeFile, type Stored } from '../../kit/files/stored-file.js';
import { tell } from '../../kit/accounts/notice.js';
import { grant, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { TestSocket } from '../../kit/socket.js';

const WHOLE =
  '{ me { id creditBalance { balance } tenant { id addressRange } folders { label fileCount } } groups { label } }';

let root: string;
let user: SignedIn;
/** Pays for a machine by the second. */
let owner: SignedIn;
let peerToken: string;
let machineId: string;
let files: Stored[];
let before: Json[];
let backup: ExitResult;
let restored: ExitResult;
const started: RunningPlatform[] = [];
let next: RunningPlatform;
const at = (name: string) => join(root, name);
const restoreTo = (target: string, folder = 'backup') =>
  runToEnd(['bundle/restore.js', at(folder)], { DATA_DIR: at(target) });

async function startIn(name: string): Promise<RunningPlatform> {
  const platform = await startInProcess({ DATA_DIR: at(name) });
  started.push(platform);
  return platform;
}

/** What the user sees of everything that was backed up. */
async function seen(url: string): Promise<Json[]> {
  const { token } = user;
  const { id, status, flavor } = await machineOf(machineId, { token: owner.token, url });
  const configuration = await configurationOf(peerToken, { url });
  if (configuration.status !== 200) throw new Error(`the configuration was refused: ${configuration.text}`);
  const socket = await TestSocket.open(token, url);
  socket.subscribe('1', 'subscription { notificationAdded(after: "0") { title } }');
  const notification = await socket.result('1', 1);
  socket.close();
  const whole = await graphql(WHOLE, { token, url });
  return [whole, { id, status, flavor }, configuration.text, hashOf(configuration), notification];
}

/** Uploads files and moves credits until the work ends; returns the number of files. */
async function writeDuring(work: Promise<unknown>, busy: SignedIn, url: string): Promise<number> {
  const state = { isOver: false };
  void work.finally(() => (state.isOver = true));
  let uploads = 0;
  for (; !state.isOver; uploads++) {
    const { reply } = await storeFile(busy, { url });
    if (reply.status !== 200) throw new Error(`an upload during the backup was refused: ${reply.status}`);
    await grant(busy, '0.5', url);
  }
  return uploads;
}

let uploads: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const first = await startIn('first');
  const { url } = first;
  user = await signIn(undefined, url);
  await grant(user, '100', url);
  owner = await signIn(undefined, url);
  await setRoles(owner.substrateAddress, ['BETA'], url);
  await grant(owner, '100', url);
  await call('POST /api/network/provision/', { token: user.token, url });
  peerToken = (await enrolledMachine(user, {}, url)).token;
  machineId = (await spawn(owner, { url })).body.id;
  await machineIn('running', machineId, { token: owner.token, url });
  files = [await storeFile(user, { url }), await storeFile(user, { url, bytes: Buffer.alloc(3_000_000, 7) })];
  await tell(user, { url });
  before = await seen(url);
  const busy = await signIn(undefined, url);
  const running = runToEnd(['bundle/backup.js', at('backup')], { DATA_DIR: at('first') });
  uploads = await writeDuring(running, busy, url);
  backup = await running;
  await first.stop();
  restored = await restoreTo('second');
  next = await startIn('second');
}, 120_000);
afterAll(async () => {
  for (const platform of started) await platform.stop();
  await rm(root, { recursive: true, force: true });
});

describe('npm run backup, while users write', () => {
  it('ends with 0 and says what it has', () => {
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/^backed up \d+ rows and \d+ objects/) });
  });

  it('does not stop them', () => {
    expect(uploads).toBeGreaterThan(0);
  });

  it('writes files that only their owner can read', async () => {
    const { mode } = await stat(at('backup/keys/data-key'));
    expect(mode & 0o777).toBe(0o600);
  });

  it.each([
    [['a', '--wrong'], /^Unknown option '--wrong'.*\nusage: npm run backup -- FOLDER \[--without-keys\]\n$/],
    [['first/data-key'], /^.*data-key cannot be the folder of the backup \(EEXIST\): give it one of its own\.\n$/],
  ])('says what is wrong with %j', async ([folder = '', ...words], line) => {
    const command = ['bundle/backup.js', at(folder), ...words];
    const { code, stderr } = await runToEnd(command, { DATA_DIR: at('second') });
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)]);
  });

  it('refuses a folder that is not empty', async () => {
    const env = { DATA_DIR: at('second') };
    const { code, stderr } = await runToEnd(['bundle/backup.js', at('backup')], env);
    const sentence = expect.stringMatching(/is not empty: give the backup a folder of its own\.\n$/);
    expect([code, stderr]).toEqual([1, sentence]);
  });
});

describe('npm run restore, into an empty directory', () => {
  it('ends with 0', () => {
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  });

  it('brings back users, credits, notifications, folders, machines and the configuration of peers', async () => {
    expect(await seen(next.url)).toEqual(before);
  });

  it('brings back every byte of the files', async () => {
    const replies = await Promise.all(
      files.map(({ manifest }) =>
        send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token, url: next.url }),
      ),
    );
    const areEqual = replies.map(({ bytes }, index) => bytes.equals(files[index]?.bytes ?? Buffer.alloc(0)));
    expect(areEqual).toEqual([true, true]);
  });

  it('has a ledger that holds', async () => {
    const { code } = await runToEnd(['bundle/prove.js'], { DATA_DIR: at('second') });
    expect(code).toBe(0);
  });

  it('goes on writing', async () => {
    await grant(user, '1', next.url);
    expect((await storeFile(user, { url: next.url })).reply.status).toBe(200);
  });

  it('is refused when something is there', async () => {
    await next.stop();
    const { code, stderr } = await restoreTo('second');
    next = await startIn('second');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database is not empty/)]);
  }, 60_000);
});

describe('npm run restore, into a directory with other files', () => {
  it('is refused, and makes nothing', async () => {
    await mkdir(at('used'));
    await writeFile(at('used/notes'), 'kept');
    const { code, stderr } = await restoreTo('used');
    const sentence = `${at('used')} is not empty: restore into a new directory, by DATA_DIR.\n`;
    expect([code, stderr, await readdir(at('used'))]).toEqual([1, sentence, ['notes']]);
  });
});

describe('npm run restore, into a database that is not empty', () => {
  it('is refused, and makes nothing', async () => {
    const env = { DATA_DIR: at('unmade'), DATABASE_URL: await newDatabase() };
    const { code, stderr } = await runToEnd(['bundle/restore.js', at('backup')], env);
    const isThere = (await readdir(root)).includes('unmade');
    expect([code, stderr, isThere]).toEqual([1, expect.stringMatching(/^The database is not empty/), false]);
  }, 60_000);
});

/** A copy of the backup that differs in one file. */
async function changed(name: string, change: (folder: string) => Promise<void>): Promise<ExitResult> {
  await cp(at('backup'), at(name), { recursive: true });
  await change(at(name));
  return restoreTo(`${name}-target`, name);
}

const append = async (file: string) => writeFile(file, 'x', { flag: 'a' });

describe('a backup', () => {
  it.each([
    ['without its manifest', 'manifest.json', rm, /has no complete backup: manifest\.json cannot be read/],
    ['with a damaged manifest', 'manifest.json', append, /damaged: manifest\.json/],
    ['without a table', 'tables/accounts.user', rm, /incomplete: tables\/accounts\.user cannot be read/],
    ['with a damaged table', 'tables/accounts.entry', append, /damaged: tables\/accounts\.entry differs from its hash/],
    ['without its keys', 'keys/data-key', rm, /incomplete: keys\/data-key cannot be read/],
  ])('%s is refused before anything is written', async (title, file, change, sentence) => {
    const name = title.replaceAll(' ', '-');
    const { code, stderr } = await changed(name, (folder) => change(join(folder, file)));
    const isThere = (await readdir(root)).includes(`${name}-target`);
    expect([code, stderr, isThere]).toEqual([1, expect.stringMatching(sentence), false]);
  });
});

describe('a restore that did not end', () => {
  let half: ExitResult;
  let start: ExitResult;
  let again: ExitResult;
  beforeAll(async () => {
    const list = await readFile(at('backup/lists/sync'), 'utf8');
    const object = `objects/sync/${list.split('\t')[0]}`;
    half = await changed('half', (folder) => append(join(folder, object)));
    start = await runToEnd(['bundle/platform.js'], { DATA_DIR: at('half-target'), PORT: '0' });
    again = await restoreTo('half-target');
  }, 60_000);

  it('says which object is damaged', () => {
    expect([half.code, half.stderr]).toEqual([1, expect.stringMatching(/^objects\/sync\/.* differs from its hash/)]);
  });

  it('is refused at the start of the platform', () => {
    expect([start.code, start.stderr]).toEqual([1, expect.stringContaining('an unfinished restore')]);
  });

  it('is made again by the next restore', () => {
    expect(again).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a backup of a newer release', () => {
  it('is refused', async () => {
    const databaseUrl = await newDatabase();
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`INSERT INTO sync.migration (name, run_on) VALUES ('29991231000000_future', now())`);
    await client.end();
    await mkdir(at('newer-data'));
    const env = { DATA_DIR: at('newer-data'), DATABASE_URL: databaseUrl };
    const made = await runToEnd(['bundle/backup.js', at('newer')], env);
    const { code, stderr } = await restoreTo('newer-target', 'newer');
    expect([made.code, code, stderr]).toEqual([0, 1, expect.stringMatching(/^The backup is of a newer release/)]);
  }, 60_000);
});
