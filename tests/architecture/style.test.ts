import { describe, expect, it } from '@jest/globals';
import { code, filesIn, type SourceFile } from './source.js';

/** Returns the paths of the files that match the pattern. */
function offenders(files: readonly SourceFile[], pattern: RegExp, except: readonly string[] = []): string[] {
  return files.filter(({ path, text }) => pattern.test(text) && !except.includes(path)).map(({ path }) => path);
}

describe('a file', () => {
  it('has at most 250 lines', () => {
    const long = [
      ...code(),
      ...filesIn(['tests', 'cli', 'sdk/src'], '.ts'),
      ...filesIn(['scripts', 'cli'], '.js'),
      ...filesIn(['dashboard'], '.ts'),
      ...filesIn(['dashboard'], '.tsx'),
    ].filter(({ path, text }) => !path.startsWith('sdk/src/generated/') && text.split('\n').length > 251);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('is named by what it is, in lower case with dashes', () => {
    const odd = code().filter(
      ({ path }) =>
        !/^(?:[a-z]+(?:-[a-z]+)*3?\/)+[a-z]+(?:-[a-z]+)*(?:\.(?:resolver|actions|rules|reference))?\.ts$/.test(path),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it('is no barrel', () => {
    expect(
      code()
        .filter(({ path }) => path.endsWith('/index.ts'))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('has named exports only', () => {
    expect(offenders(code(), /^export default\b/m)).toEqual([]);
  });
});

describe('a folder', () => {
  it('holds at most 16 files, except migrations', () => {
    const files = [
      ...code(),
      ...filesIn(['tests', 'dashboard', 'cli', 'sdk/src'], '.ts'),
      ...filesIn(['cli'], '.js'),
      ...filesIn(['dashboard'], '.tsx'),
      ...filesIn(['dashboard'], '.css'),
    ];
    const counts = new Map<string, number>();
    for (const path of new Set(files.map((file) => file.path))) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const full = [...counts].filter(([folder, count]) => count > 16 && !folder.endsWith('/migrations'));
    expect(full).toEqual([]);
  });
});

describe('a name', () => {
  it('is none of those that say nothing', () => {
    expect(
      offenders(code(), /\b(?:class|interface|type|function|const) \w*(?:Manager|Service|Helper|Util|Common|Impl)\b/),
    ).toEqual([]);
  });
});

describe('an import', () => {
  it('names a package by its public entry, not by a file of its build', () => {
    expect(offenders(code(), /(?:from|import\()\s*['"][^.'"][^'"]*\/dist\//)).toEqual([]);
  });
});

describe('the environment', () => {
  it('is read in one file', () => {
    expect(offenders(code(), /process\.env\b/, ['kernel/config/config.ts'])).toEqual([]);
  });
});

describe('an error', () => {
  it('is made by the constructors of kernel/errors.ts, or passed on by the gateway', () => {
    const passedOn = [
      'kernel/errors.ts',
      'gateway/engine/public-errors.ts',
      'gateway/engine/fetch/subgraph-errors.ts',
      'gateway/engine/fetch/entity-fetch.ts',
      'gateway/engine/projection/completion.ts',
      'gateway/graphql/apollo-server.ts',
    ];
    expect(offenders(code(), /new GraphQLError\(/, passedOn)).toEqual([]);
  });
});

describe('a test', () => {
  it('is neither skipped nor preferred', () => {
    expect(offenders(filesIn(['tests'], '.test.ts'), /\b(?:it|test|describe)\.(?:skip|only|todo|failing)\b/)).toEqual(
      [],
    );
  });
});

describe('a text of SQL', () => {
  it('never has a value written into it', () => {
    // Columns and tables are constants in capitals; everything else is bound as $1, $2, … or by the tag `sql`.
    const sql = /`[^`]*\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^`]*\$\{(?![A-Z_]+\})[^`]*`/;
    const files = filesIn(['subgraphs'], '.ts');
    const untagged = files.map((file) => ({ ...file, text: file.text.replace(/\bsql(?:<[^`]*>)?`[^`]*`/g, '') }));
    expect(offenders(untagged, sql)).toEqual([]);
  });

  it('stands in subgraphs only under the tag `sql`', () => {
    const statement =
      /(?<!\bsql(?:<[^`]*>)?)['"`]\s*(?:WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM)\s|(?:transaction|database|snapshot|change)\.(?:execute|rows)\b/;
    expect(offenders(filesIn(['subgraphs'], '.ts'), statement)).toEqual([]);
  });

  it('compares a column as it is, so that its index is used', () => {
    expect(offenders(filesIn(['subgraphs'], '.ts'), /(?<!\$)\b[a-z_]+::text\s*(?:=|<>|IN\b)/)).toEqual([]);
  });
});
