import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { startInProcess } from '../../kit/arrangements.js';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { platformConfig } from '../../kit/config.js';
import { keysOf } from '../../kit/blobs/objects.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { runToEnd, spawnPiped, toEnd, type ExitResult } from '../../kit/run.js';
import { S3_KEYS, startS3, type RunningS3 } from '../../kit/blobs/s3.js';
import { storeFile, type Stored } from '../../kit/files/stored-file.js';
import { grant, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

type Env = Readonly<Record<string, string>>;

const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'r'
     AND (n.nspname IN ('accounts', 'infrastructure', 'network', 'sync')
          OR n.nspname LIKE '%\\_jobs' AND c.relname IN ('job_common', 'job_dependency', 'queue', 'schedule'))`;
const SEQUENCES = `
  SELECT sequencename, last_value FROM pg_sequences
   WHERE schemaname ~ '^(accounts|infrastructure|network|sync)$' ORDER BY schemaname, sequencename`;
const KEYS = `SELECT object_key AS key FROM sync.chunk ORDER BY 1`;

let root: string;
let s3: RunningS3;
let source: Env;
let user: SignedIn;
let files: Stored[];
let backup: ExitResult;
const at = (name: string) => join(root, name);

/** A directory and an empty database for a restore, with the store in the directory or at a URL. */
async function emptyTarget(name: string, store: Env = {}): Promise<Env> {
  return { ...S3_KEYS, DATA_DIR: at(name), DATABASE_URL: await newDatabase('template0'), ...store };
}

const run = (command: 'backup' | 'restore', folder: string, env: Env) =>
  runToEnd([`gateway/entrypoints/${command}.js`, at(folder)], env);

async function rowsOf<Row extends object>(env: Env, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}

/** A hash of every table, without the place of the store. */
async function contentOf(env: Env): Promise<object> {
  const tables = await rowsOf<{ name: string }>(env, TABLES);
  const hash = `md5(string_agg(regexp_replace(t::text, '"?(directory|s3://[^,]*)"?', 'store'), '|' ORDER BY t::text))`;
  const statements = tables.map(({ name }) => `SELECT '${name}' AS name, ${hash} AS hash FROM ${name} t`);
  return {
    rows: await rowsOf(env, `${statements.join(' UNION ALL ')} ORDER BY name`),
    sequences: await rowsOf(env, SEQUENCES),
  };
}

/** Runs the command, and kills it when it opens the file, which has no content yet. */
async function killAt(file: string, command: 'backup' | 'restore', folder: string, env: Env): Promise<ExitResult> {
  await rename(file, `${file}.moved`);
  execFileSync('mkfifo', [file]);
  const program = join(packageRoot(), `dist/gateway/entrypoints/${command}.js`);
  const child = spawnPiped([process.execPath, program, at(folder)], env);
  const ended = toEnd(child);
  // Opens when the command opens it to read.
  const writer = await open(file, 'w');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await writer.close();
  await rename(`${file}.moved`, file);
  return ended;
}

/** Starts a platform on restored data: whether each file is what was uploaded. */
async function filesIn(env: Env): Promise<boolean[]> {
  const platform = await startInProcess(env);
  const { url } = platform;
  const replies = files.map(({ manifest }) =>
    send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token, url }),
  );
  const same = (await Promise.all(replies)).map(({ bytes }, index) => bytes.equals(files[index]?.bytes ?? bytes));
  await platform.stop();
  return same;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'archipelago-'));
  s3 = await startS3();
  source = { ...S3_KEYS, DATA_DIR: at('source'), DATABASE_URL: await newDatabase(), BLOB_URL: s3.url };
  const platform = await startInProcess(source);
  const { url } = platform;
  user = await signIn(undefined, url);
  await grant(user, '100', url);
  files = await Promise.all(
    [{}, { bytes: Buffer.alloc(3_000_000, 7) }, {}].map((file) => storeFile(user, { ...file, url })),
  );
  await platform.stop();
  backup = await run('backup', 'backup', source);
}, 120_000);
afterAll(async () => {
  await s3.close();
  await rm(root, { recursive: true, force: true });
});

describe('a backup of a PostgreSQL and a bucket of the operator', () => {
  it('ends with 0', () => {
    expect(backup).toMatchObject({ code: 0, stderr: '' });
  });

  it('has the uploaded files', async () => {
    expect(files.map(({ reply }) => reply.status)).toEqual([200, 200, 200]);
    expect(backup.stdout).toContain(`and ${(await rowsOf(source, KEYS)).length} objects`);
  });
});

describe('its restore into another bucket', () => {
  let target: Env;
  let restored: ExitResult;
  beforeAll(async () => {
    target = await emptyTarget('bucket', { BLOB_URL: s3.url.replace('/files?', '/restored?') });
    restored = await run('restore', 'backup', target);
  }, 60_000);

  it('ends with 0', () => {
    expect(restored).toMatchObject({ code: 0, stderr: '' });
  });

  it('has the same rows in every table, and the same sequences', async () => {
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('has the same sums in the ledger', async () => {
    const proofs = [source, target].map((env) => runToEnd(['bundle/prove.js'], env));
    const [before, after] = await Promise.all(proofs);
    expect(after).toEqual(before);
    expect(after?.stdout).toContain('the ledger holds');
  });

  it('has the objects that the rows name, and no other', async () => {
    const { sync, dataDir } = platformConfig({ ...target, PAYPROC: 'off' });
    const store = await openBlobStore({ ...sync, dataDir });
    const keys = await rowsOf<{ key: string }>(source, KEYS);
    expect(await keysOf(store)).toEqual(keys.map(({ key }) => key));
  });

  it('has every byte of the files', async () => {
    expect(await filesIn(target)).toEqual([true, true, true]);
  }, 60_000);
});

describe('a restore', () => {
  it('into a bucket with objects is refused', async () => {
    const { code, stderr } = await run('restore', 'backup', await emptyTarget('full', { BLOB_URL: s3.url }));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The store of sync is not empty/)]);
  }, 60_000);

  it('into a database with rows is refused', async () => {
    const target = { ...(await emptyTarget('rows')), DATABASE_URL: await newDatabase() };
    const { code, stderr } = await run('restore', 'backup', target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database is not empty/)]);
  }, 60_000);

  it('into a directory with another key is refused', async () => {
    const target = { ...(await emptyTarget('bucket')), BLOB_URL: s3.url.replace('/files?', '/keyed?') };
    const { code, stderr } = await run('restore', 'backup', target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/bucket is not empty: restore into a new directory/)]);
  }, 60_000);

  it('with another DATA_KEY is refused', async () => {
    const target = { ...(await emptyTarget('keyless')), DATA_KEY: Buffer.alloc(32, 1).toString('base64') };
    const { code, stderr } = await run('restore', 'backup', target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Set DATA_KEY to the key/)]);
  });
});

describe('kill -9', () => {
  it('at the end of a backup leaves one that is refused', async () => {
    await killAt(at('source/data-key'), 'backup', 'killed', source);
    const { code, stderr } = await run('restore', 'killed', await emptyTarget('killed-target'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has no complete backup: manifest\.json cannot be read/)]);
  }, 60_000);

  it('during a restore is repaired by the next restore', async () => {
    const [first] = await rowsOf<{ key: string }>(source, `SELECT object_key AS key FROM sync.chunk LIMIT 1`);
    const target = await emptyTarget('half');
    await killAt(at(`backup/objects/sync/${first?.key}`), 'restore', 'backup', target);
    const start = await runToEnd(['bundle/platform.js'], { ...target, PORT: '0' });
    const again = await run('restore', 'backup', target);
    expect([start.code, start.stderr]).toEqual([1, expect.stringContaining('an unfinished restore')]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect(await filesIn(target)).toEqual([true, true, true]);
    expect((await readFile(at('half/data-key'))).equals(await readFile(at('source/data-key')))).toBe(true);
  }, 60_000);
});
