import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { definedQueries, QueryCompiler } from '../../../kernel/database/query.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { KEYS_WITHOUT_OWNER, REFERENCES_ACROSS_OWNERS } from './owner-keys/keys.js';
import { tablesOfAllOwners, type PlanNode } from './owner-keys/plan.js';
import { STATEMENTS_WITHOUT_OWNER } from './owner-keys/statements.js';
import {
  MISSING,
  OTHER_OWNER_COLUMNS,
  OWNER_COLUMNS,
  ownerColumn,
  OWNERS,
  REFERENCE,
  WITHOUT_OWNER,
} from './owner-keys/tables.js';

const SCHEMAS = Object.keys(OWNER_COLUMNS);

const KEYS = `
  SELECT n.nspname || '.' || c.relname AS "table", array_agg(a.attname::text ORDER BY k.position) AS columns
  FROM pg_index i
  JOIN pg_class c ON c.oid = i.indrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, position)
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
  WHERE i.indisunique AND k.position <= i.indnkeyatts AND n.nspname = ANY ($1)
  GROUP BY i.indexrelid, i.indisprimary, n.nspname, c.relname ORDER BY 1, i.indisprimary DESC, 2`;

const REFERENCES = `
  SELECT n.nspname || '.' || c.relname AS "table", tn.nspname || '.' || t.relname AS target,
    array_agg(a.attname::text ORDER BY k.position) AS columns, array_agg(ta.attname::text ORDER BY k.position) AS "targetColumns"
  FROM pg_constraint f
  JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_class t ON t.oid = f.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace
  CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS k (number, "targetNumber", position)
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
  JOIN pg_attribute ta ON ta.attrelid = t.oid AND ta.attnum = k."targetNumber"
  WHERE f.contype = 'f' AND n.nspname = ANY ($1)
  GROUP BY f.oid, n.nspname, c.relname, tn.nspname, t.relname ORDER BY 1, 2, 3`;

interface Reference {
  readonly table: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly targetColumns: readonly string[];
}

/** Says whether both rows of a foreign key have the same owner, or the target is on every node. */
function staysWithinOwner({ table, target, columns, targetColumns }: Reference): boolean {
  if (REFERENCE.includes(target)) return true;
  const [own, others] = [ownerColumn(table), ownerColumn(target)];
  if (own === undefined && others === undefined) return !MISSING.includes(table) && !MISSING.includes(target);
  return columns.some((column, i) => column === own && targetColumns[i] === others);
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

/** Returns the statements of a subgraph, which must not be loaded yet, by name. */
async function statementsOf(schema: string): Promise<Map<string, string>> {
  const before = new Set(definedQueries().keys());
  await import(`../../../subgraphs/${schema}/subgraph.js`);
  const compiler = new QueryCompiler(schema);
  const own = [...definedQueries()].filter(([name]) => !before.has(name));
  return new Map(own.map(([name, statement]) => [name, compiler.prepare(statement, {} as never).text]));
}

/** A listed name, or the beginning of the names of a family with `*`. */
function matching(listed: string): (name: string) => boolean {
  return (name) => (listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed);
}

describe('the database by owner', () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: await newDatabase() });
    await client.connect();
  });
  afterAll(() => client.end());

  it('names the owner in every table of users, but those listed', async () => {
    const { rows } = await client.query<{ table: string }>(
      `SELECT n.nspname || '.' || c.relname AS "table" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND n.nspname = ANY ($1) AND NOT EXISTS (SELECT FROM pg_attribute a
         WHERE a.attrelid = c.oid AND NOT a.attisdropped AND a.attname = coalesce($3::jsonb ->> (n.nspname || '.' || c.relname), $2::jsonb ->> n.nspname))`,
      [SCHEMAS, JSON.stringify(OWNER_COLUMNS), JSON.stringify(OTHER_OWNER_COLUMNS)],
    );
    expect(rows.map(({ table }) => table).toSorted()).toEqual([...WITHOUT_OWNER, ...OWNERS].toSorted());
  });

  it('has the owner in every unique key of these tables, but those listed', async () => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(KEYS, [SCHEMAS]);
    const wrong = rows.filter(({ table, columns }) => {
      const owner = ownerColumn(table);
      return owner !== undefined && !columns.includes(owner);
    });
    const found = wrong.map(({ table, columns }) => `${table} (${columns.join(', ')})`);
    expect(found.toSorted()).toEqual(KEYS_WITHOUT_OWNER.toSorted());
  });

  it('has no foreign key from one owner to another, but those listed', async () => {
    const { rows } = await client.query<Reference>(REFERENCES, [SCHEMAS]);
    const wrong = rows.filter((row) => !staysWithinOwner(row));
    expect(wrong.map(({ table, columns, target }) => `${table} (${columns.join(', ')}) to ${target}`)).toEqual(
      REFERENCES_ACROSS_OWNERS,
    );
  });

  it('names the owner in every statement about these tables, but those listed', async () => {
    const wrong: string[] = [];
    // Functions of these statements read it.
    await client.query("SET network.change = '0'");
    for (const schema of SCHEMAS)
      for (const [name, text] of await statementsOf(schema)) {
        const { rows } = await client.query<Explained>(`EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`);
        if (rows.some((row) => tablesOfAllOwners(row['QUERY PLAN'][0].Plan).length > 0)) wrong.push(name);
      }
    const listed = STATEMENTS_WITHOUT_OWNER.flatMap((name) => [...definedQueries().keys()].filter(matching(name)));
    expect(wrong.toSorted()).toEqual(listed.toSorted());
    expect(STATEMENTS_WITHOUT_OWNER.filter((name) => !wrong.some(matching(name)))).toEqual([]);
  });
});
