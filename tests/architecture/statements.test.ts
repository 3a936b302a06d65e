import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { code, filesIn } from './source.js';

/** Who may send SQL that `query()` does not hold, besides kernel/database. ADD none that reads or writes rows of a subgraph. */
const SENDERS: Readonly<Record<string, string>> = {
  'cli/commands/doctor.ts': 'asks a server for its version',
  'gateway/composition/data-directory.ts': 'takes the lock of a data directory before a subgraph starts',
  'gateway/composition/start-checks.ts': 'asks whether a database answers before a subgraph starts',
  'kernel/backup/backup.ts': 'copies whatever tables there are',
  'kernel/backup/restore.ts': 'copies whatever tables there are',
  'kernel/backup/tables.ts': 'copies whatever tables there are',
  'kernel/events/postgres-events.ts': 'LISTEN',
  'kernel/jobs/connections.ts': 'sends the statements of pg-boss',
  'kernel/jobs/job-metrics.ts': 'counts the jobs of pg-boss, whose schema has the name of the subgraph',
  'kernel/jobs/jobs.ts': 'adds and holds jobs of pg-boss in a transaction, and reads when the next is due',
  'kernel/jobs/queues.ts': 'keeps the waiting jobs of pg-boss',
};

/** A call with a text, such as `client.query('…')`, not with a method of Kysely. */
const SENDS =
  /\b(?:(?:client|connection|pool)\.query[(<]|database\.rows<|executeSql\(|(?:transaction|database|snapshot)\.execute[(<])/;

describe('a statement', () => {
  it('is held by query(), where the compiler and PostgreSQL check it, except for a few', () => {
    const sending = [...code(), ...filesIn(['cli'], '.ts')].filter(({ text }) => SENDS.test(text));
    const outside = sending.map(({ path }) => path).filter((path) => !path.startsWith('kernel/database/'));
    expect(outside.toSorted()).toEqual(Object.keys(SENDERS));
  });

  it('is never one of MikroORM, which describes tables and sends nothing', () => {
    const imports = code().flatMap(({ path, text }) =>
      [...text.matchAll(/import ([^;]*) from '@mikro-orm\/([^']*)'/g)].map(([, names, from]) => ({
        path,
        names,
        from,
      })),
    );
    expect(imports.length).toBeGreaterThan(50);
    const sending = imports.filter(({ names, from }) => from !== 'decorators/legacy' && names !== 'type { Opt }');
    expect(sending).toEqual([]);
  });

  it('is sent by programs without MikroORM', () => {
    const chunks = chunksOf('platform.js');
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.filter(({ text }) => text.includes('MikroORM = class')).map(({ name }) => name)).toEqual([]);
  });
});

/** The files of dist/bundle that a program may load, itself included. */
function chunksOf(program: string): { readonly name: string; readonly text: string }[] {
  const bundle = join(packageRoot(), 'dist/bundle');
  const chunks = new Map<string, string>();
  const names = new Set([program]);
  for (const name of names) {
    const text = readFileSync(join(bundle, name), 'utf8');
    chunks.set(name, text);
    for (const [, next = ''] of text.matchAll(/"\.\/([^"/]+\.js)"/g))
      if (existsSync(join(bundle, next))) names.add(next);
  }
  return [...chunks].map(([name, text]) => ({ name, text }));
}
