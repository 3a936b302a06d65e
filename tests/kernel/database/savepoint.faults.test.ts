import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { inSavepoint } from '../../../kernel/database/savepoint.js';
import { newDatabase } from '../../kit/database/own-database.js';

let client: Client;
beforeAll(async () => {
  client = new Client(await newDatabase());
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE done (name text)');
});
afterAll(() => client.end());

const transaction = { execute: async <Row extends object>(text: string) => (await client.query<Row>(text)).rows };

function attempt(name: string, within: () => Promise<unknown> = () => Promise.resolve()): Promise<unknown> {
  return inSavepoint(transaction, async () => {
    await client.query('INSERT INTO done VALUES ($1)', [name]);
    await within();
  });
}

const fail = () => Promise.reject(new Error('the work failed'));

/** Returns what the transaction keeps of this work. */
async function keptOf(work: () => Promise<unknown>): Promise<string[]> {
  await client.query('BEGIN');
  await work();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM done ORDER BY name');
  await client.query('ROLLBACK');
  return rows.map(({ name }) => name);
}

describe('a savepoint', () => {
  it('is rolled back when its work throws', async () => {
    expect(await keptOf(() => attempt('outer', fail).catch(() => undefined))).toEqual([]);
  });

  it('is rolled back as a whole when an inner one has succeeded before', async () => {
    const work = async () => {
      await attempt('inner');
      await fail();
    };
    expect(await keptOf(() => attempt('outer', work).catch(() => undefined))).toEqual([]);
  });

  it('is rolled back as a whole when an inner one has failed before', async () => {
    const work = async () => {
      await attempt('inner', fail).catch(() => undefined);
      await client.query("INSERT INTO done VALUES ('between')");
      await fail();
    };
    expect(await keptOf(() => attempt('outer', work).catch(() => undefined))).toEqual([]);
  });

  it('keeps its changes when an inner one has failed', async () => {
    const work = () => attempt('inner', fail).catch(() => undefined);
    expect(await keptOf(() => attempt('outer', work))).toEqual(['outer']);
  });
});
