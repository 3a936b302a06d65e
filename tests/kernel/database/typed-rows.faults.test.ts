import { describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { definedQueries, QueryCompiler } from '../../../kernel/database/query.js';
import { ENTITIES as ACCOUNTS } from '../../../subgraphs/accounts/entities.js';
import { ENTITIES as INFRASTRUCTURE } from '../../../subgraphs/infrastructure/entities.js';
import { ENTITIES as NETWORK } from '../../../subgraphs/network/entities.js';
import { ENTITIES as SYNC } from '../../../subgraphs/sync/entities.js';
import { newDatabase } from '../../kit/database/own-database.js';

/** Kept by hand in the migrations: indexes, constraints, triggers, functions and comments; and the table of migrations itself. Each is a whole line: a second statement cannot hide behind one. */
const BY_HAND = [
  /^drop index "\w+"\."\w+";$/,
  /^drop trigger if exists "\w+" on "\w+"\."\w+";$/,
  /^drop function if exists "\w+"\."\w+"\([\w, [\]]*\);$/,
  /^alter table "\w+"\."\w+" drop constraint "\w+";$/,
  /^comment on column "\w+"\."\w+"\."\w+" is (?:null|'(?:[^']|'')*');$/,
  /^drop table if exists "\w+"\."migration" cascade;$/,
];

describe.each([
  { schema: 'accounts', entities: ACCOUNTS },
  { schema: 'infrastructure', entities: INFRASTRUCTURE },
  { schema: 'network', entities: NETWORK },
  { schema: 'sync', entities: SYNC },
])('rows of $schema', ({ schema, entities }) => {
  it('have the columns of the migrated database', async () => {
    const orm = await MikroORM.init({ entities: [...entities], clientUrl: await newDatabase(), schema });
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false, schema, safe: false });
    await orm.close();
    const lines = difference.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !BY_HAND.some((pattern) => pattern.test(line)))).toEqual([]);
  });

  it('are named by statements that PostgreSQL accepts', async () => {
    const before = new Set(definedQueries().keys());
    await import(`../../../subgraphs/${schema}/subgraph.js`);
    const compiler = new QueryCompiler(schema);
    const client = new Client({ connectionString: await newDatabase() });
    await client.connect();
    const refused: string[] = [];
    for (const [name, statement] of definedQueries()) {
      if (before.has(name)) continue;
      const { text } = compiler.prepare(statement, {} as never);
      await client.query(`PREPARE one AS ${text}`).catch((error: Error) => refused.push(`${name}: ${error.message}`));
      await client.query('DEALLOCATE ALL');
    }
    await client.end();
    expect(refused).toEqual([]);
  });
});
