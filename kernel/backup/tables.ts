import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from, to } from 'pg-copy-streams';
import { ConfigError } from '../config/environment.js';
import { writePart, type Manifest, type Part } from './folder.js';

/** A table with the columns that are stored, quoted. */
interface Table {
  readonly schema: string;
  readonly name: string;
  readonly columns: string[];
}

/** pg-boss tables that are backed up. A restore creates the others again: the version, and daily statistics. */
const JOB_TABLES = ['job_common', 'job_dependency', 'queue', 'schedule', 'subscription'];

/** Columns that PostgreSQL computes are left out. */
const TABLES = `
  SELECT n.nspname AS schema, c.relname AS name,
         ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'r' AND n.nspname = ANY ($1) AND (n.nspname NOT LIKE '%\\_jobs' OR c.relname = ANY ($2))
   ORDER BY 1, 2`;

const SEQUENCES = `
  SELECT schemaname AS schema, sequencename AS name, last_value::text AS value
    FROM pg_sequences WHERE schemaname = ANY ($1) AND last_value IS NOT NULL ORDER BY 1, 2`;

/** Columns with the number of the transaction that added the row, to compare it with snapshots. */
const TRANSACTION_COLUMNS = `
  SELECT n.nspname AS schema, c.relname AS name, quote_ident(a.attname) AS "column"
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'r' AND n.nspname = ANY ($1) AND a.attnum > 0 AND a.atttypid = 'xid8'::regtype`;

async function tablesOf(client: Client, schemas: readonly string[]): Promise<Table[]> {
  return (await client.query<Table>(TABLES, [schemas, JOB_TABLES])).rows;
}

/** Writes the result of a SELECT, or a table with its columns, to a file in the text format of COPY. */
export async function copyOut(
  client: Client,
  source: string,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<Part & { readonly rows: number }> {
  const stream = client.query(to(`COPY ${source} TO STDOUT`));
  const written = await writePart(folder, file, stream);
  return { ...written, rows: stream.rowCount };
}

/** Writes every table of the schemas to the backup. The client has an open snapshot. */
export async function copyTablesOut(
  client: Client,
  schemas: readonly string[],
  folder: string,
): Promise<Pick<Manifest, 'tables' | 'sequences'>> {
  const tables: Manifest['tables'] = [];
  for (const table of await tablesOf(client, schemas)) {
    const file = `tables/${table.schema}.${table.name}`;
    tables.push({ ...table, ...(await copyOut(client, sourceOf(table), { folder, file })) });
  }
  // Sequences are not part of a snapshot. Read after the rows, they are never behind them.
  const { rows: sequences } = await client.query<Manifest['sequences'][number]>(SEQUENCES, [schemas]);
  return { tables, sequences };
}

/** Replaces the rows of every table of the schemas by those of the backup, and checks the row counts. The client has an open transaction. */
export async function copyTablesIn(
  client: Client,
  { tables, sequences }: Pick<Manifest, 'tables' | 'sequences'>,
  { schemas, folder }: { readonly schemas: readonly string[]; readonly folder: string },
): Promise<void> {
  const present = await tablesOf(client, schemas);
  const known = new Set(present.flatMap(columnsOf));
  const unknown = tables.flatMap(columnsOf).find((column) => !known.has(column));
  if (unknown !== undefined)
    throw new ConfigError(
      `The backup has the column ${unknown}, which this release does not know: restore it with the release that wrote it.`,
    );
  await client.query(`TRUNCATE ${present.map(nameOf).join(', ')}`);
  for (const table of tables) {
    const stream = client.query(from(`COPY ${sourceOf(table)} FROM STDIN`));
    await pipeline(createReadStream(join(folder, table.file)), stream);
    if (stream.rowCount !== table.rows)
      throw new ConfigError(
        `The backup has ${table.rows} rows of ${nameOf(table)}, but ${stream.rowCount} were restored.`,
      );
  }
  await renumber(client, schemas);
  for (const { schema, name, value } of sequences)
    await client.query('SELECT setval(format($1, $2::text, $3::text)::regclass, $4)', ['%I.%I', schema, name, value]);
}

/** Gives restored rows the number of this transaction: those of another database tell nothing here. */
async function renumber(client: Client, schemas: readonly string[]): Promise<void> {
  type Column = Pick<Table, 'schema' | 'name'> & { readonly column: string };
  const { rows } = await client.query<Column>(TRANSACTION_COLUMNS, [schemas]);
  for (const row of rows) await client.query(`UPDATE ${nameOf(row)} SET ${row.column} = DEFAULT`);
}

function columnsOf({ schema, name, columns }: Table): string[] {
  return columns.map((column) => `${schema}.${name}.${column}`);
}

function nameOf({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `"${schema}"."${name}"`;
}

function sourceOf(table: Table): string {
  return `${nameOf(table)} (${table.columns.join(', ')})`;
}
