import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { UNFINISHED_RESTORE } from '../../kernel/database/migrations.js';
import { packageRoot } from '../../kernel/package-root.js';
import { newDatabase } from '../kit/database/own-database.js';

/** Runs the job of `deploy/kubernetes/base/migrate.yaml`. @throws with its output */
async function migrate(databaseUrl: string): Promise<string> {
  const entry = join(packageRoot(), 'dist/gateway/entrypoints/migrate.js');
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
