import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { UNFINISHED_RESTORE } from '../../kernel/database/migrations.js';
import { packageRoot } from '../../kernel/package-root.js';
import { newDatabase } from '../kit/database/own-database.js';
import { addMigrations, nextVersion } from '../kit/next-version.js';
import { until } from '../kit/watch.js';

/** Runs the job of `deploy/kubernetes/base/migrate.yaml`. @throws with its output */
async function migrate(databaseUrl: string, root = packageRoot()): Promise<string> {
  const entry = join(root, 'dist/bundle/migrate.js');
  const { stdout } = await promisify(execFile)(process.execPath, [entry], { env: { DATABASE_URL: databaseUrl } });
  return stdout;
}

async function ask(databaseUrl: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

describe('npm run migrate', () => {
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await newDatabase('template1');
  });

  it('migrates an empty database, also when two do it at once', async () => {
    const done = 'the database has the schemas of this version\n';
    expect(await Promise.all([migrate(databaseUrl), migrate(databaseUrl)])).toEqual([done, done]);
    const migrated = `SELECT count(*)::integer AS count FROM pg_tables WHERE tablename = 'migration'`;
    expect(await ask(databaseUrl, migrated)).toEqual([{ count: 4 }]);
  });

  it('changes nothing the second time', async () => {
    const names = `SELECT name, run_on FROM accounts.migration UNION ALL SELECT name, run_on FROM sync.migration ORDER BY 1`;
    const before = await ask(databaseUrl, names);
    await migrate(databaseUrl);
    expect(await ask(databaseUrl, names)).toEqual(before);
  });

  it('refuses a database whose restore did not end', async () => {
    await ask(databaseUrl, `CREATE SCHEMA ${UNFINISHED_RESTORE}`);
    await expect(migrate(databaseUrl)).rejects.toThrow('unfinished restore');
  });
});

/** Opens a transaction that has run this statement. Returns what ends it. */
async function transactionOf(databaseUrl: string, statement: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  return () => client.end();
}

describe('a migration of a table in use', () => {
  let folder: string;
  let root: string;
  let databaseUrl: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archipelago-'));
    root = await nextVersion(folder, {});
    databaseUrl = await newDatabase();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const found = async (statement: string) => (await ask(databaseUrl, statement)).length > 0;

  it('lets others read while it waits for a long read, and comes after it', async () => {
    await addMigrations(root, { network: { '000000_a': 'ALTER TABLE network.group ADD COLUMN added integer;' } });
    const endOfRead = await transactionOf(databaseUrl, 'SELECT FROM network.group');
    const migrated = migrate(databaseUrl, root);
    await until(() =>
      found(`SELECT FROM pg_locks WHERE relation = 'network.group'::regclass AND mode = 'AccessExclusiveLock'`),
    );
    try {
      await ask(databaseUrl, "SET statement_timeout = '3s'; SELECT FROM network.group");
    } finally {
      await endOfRead();
    }
    await migrated;
    expect(await ask(databaseUrl, 'SELECT added FROM network.group')).toEqual([]);
  });

  it('builds an index beside changes, also when two migrate at once, and nobody without migrations waits for it', async () => {
    const index = 'INDEX CONCURRENTLY';
    const text = `-- without a transaction\n\nDROP ${index} IF EXISTS network.by_label;\n\nCREATE ${index} by_label ON network.group (label);\n`;
    await addMigrations(root, { network: { '000001_b': text } });
    const endOfChange = await transactionOf(databaseUrl, 'UPDATE network.group SET label = label');
    const first = migrate(databaseUrl, root);
    await until(() => found(`SELECT FROM pg_stat_activity WHERE wait_event = 'virtualxid'`));
    const second = migrate(databaseUrl, root);
    const waits = `query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()`;
    await until(() => found(`SELECT FROM pg_stat_activity WHERE ${waits}`));
    await migrate(databaseUrl); // the previous version, which has nothing to migrate
    await endOfChange();
    await Promise.all([first, second]);
    expect(
      await ask(databaseUrl, `SELECT indisvalid FROM pg_index WHERE indexrelid = 'network.by_label'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });
});
