import type { Migrations } from '../kit/next-version.js';

/** A table of each subgraph that the load reads and writes all the time. */
const TABLES = {
  accounts: 'accounts.token',
  infrastructure: 'infrastructure.vm_instance',
  network: 'network.group',
  sync: 'sync.file',
} as const;

/** What a version adds, while processes of the one before it write rows: docs/operations.md. */
export const EXPAND = migrationsOf((table, schema) => ({
  '000000_column': `ALTER TABLE ${table} ADD COLUMN added integer, ADD COLUMN unused text NOT NULL DEFAULT 'x';
ALTER TABLE ${table} ALTER COLUMN added SET DEFAULT 1;
ALTER TABLE ${table} ADD CONSTRAINT added_set CHECK (added IS NOT NULL) NOT VALID;
`,
  '000001_values': `-- without a transaction

DO $$ BEGIN
  WHILE EXISTS (SELECT FROM ${table} WHERE added IS NULL) LOOP
    UPDATE ${table} SET added = 0
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE added IS NULL LIMIT 200 FOR UPDATE SKIP LOCKED));
    COMMIT;
  END LOOP;
END $$;
`,
  '000002_checked': `ALTER TABLE ${table} VALIDATE CONSTRAINT added_set;
`,
  '000003_index': `-- without a transaction

DROP INDEX CONCURRENTLY IF EXISTS ${schema}.by_added;

CREATE INDEX CONCURRENTLY by_added ON ${table} (added);
`,
}));

/** What the version after it takes away or narrows, when no process of the one before it is left. */
export const CONTRACT = migrationsOf((table, schema) => ({
  '000004_never_null': `ALTER TABLE ${table} ALTER COLUMN added SET NOT NULL;
ALTER TABLE ${table} DROP CONSTRAINT added_set;
`,
  '000005_no_index': `-- without a transaction

DROP INDEX CONCURRENTLY IF EXISTS ${schema}.by_added;
`,
  '000006_no_column': `ALTER TABLE ${table} DROP COLUMN unused;
`,
}));

function migrationsOf(textsOf: (table: string, schema: string) => Readonly<Record<string, string>>): Migrations {
  return Object.fromEntries(Object.entries(TABLES).map(([schema, table]) => [schema, textsOf(table, schema)]));
}
