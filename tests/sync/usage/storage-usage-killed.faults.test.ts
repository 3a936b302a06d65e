import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { graphql, type Json } from '../../kit/platform.js';
import { grantAt, recordAt, setPrice } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { runToEnd } from '../../kit/run.js';
import { ask, end, until } from '../../kit/watch.js';

const USERS = 60;
const RECORDED = `SELECT count(*)::integer FROM sync.storage_period WHERE state = 'recorded'`;
const OPEN = `SELECT count(*)::integer FROM sync.storage_period WHERE state = 'open'`;

let dataDir: string;
let databaseUrl: string;
let next: RunningPlatform;
let users: SignedIn[];
let left: number;
let answers: Json[];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  databaseUrl = await newDatabase();
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const { url, processes } = await startInProcess(env);
  users = await Promise.all(Array.from({ length: USERS }, () => signIn(undefined, url)));
  for (const user of users) {
    await storeFile(user, { url });
    await grantAt(user, '1', url);
  }
  await setPrice('1000', url);
  const run = recordAt(1, url).catch(() => undefined);
  await until(async () => Number(await ask(databaseUrl, RECORDED)) > 0);
  for (const { child } of processes) await end(child, 'SIGKILL');
  await run;
  left = Number(await ask(databaseUrl, OPEN));
  next = await startInProcess(env);
  await Promise.all([recordAt(1, next.url), recordAt(1, next.url)]);
  const query = '{ creditBalance { balance } usageRecords { count } statement { lines { kind amount } } }';
  answers = await Promise.all(users.map(({ token }) => graphql(query, { token, url: next.url })));
}, 120_000);
afterAll(async () => {
  await next.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a platform killed with -9 while it has storage recorded', () => {
  it('was in the middle', () => {
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(USERS);
  });

  it('records each owner once when it runs again', () => {
    expect(answers.map(({ data }) => data.usageRecords.count)).toEqual(users.map(() => 1));
  });

  it('charges each owner once', async () => {
    const charges = answers.map(({ data }) => data.statement.lines.filter(({ kind }: Json) => kind === 'storage'));
    expect(charges.map(({ length }) => length)).toEqual(users.map(() => 1));
    expect(new Set(answers.map(({ data }) => data.creditBalance.balance)).size).toBe(1);
    expect((await runToEnd(['bundle/prove.js'], { DATABASE_URL: databaseUrl })).code).toBe(0);
  });
});
