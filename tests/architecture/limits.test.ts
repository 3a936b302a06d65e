import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';
import { code, filesIn } from './source.js';

const UNITS: Readonly<Record<string, number>> = {
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
};

interface Limit {
  readonly area: string;
  readonly name: string;
  readonly value: string;
  readonly variable: string;
  readonly file: string;
  readonly constant: string;
  readonly test: string;
}

const CELL = '\\| ([^|]+?) +';
const LINE = new RegExp(
  `^${CELL}${CELL}${CELL}\\| +(?:\`(\\w+)\` +)?${CELL}\\| (?:\`(.+?)\` \`(.+?)\`|none) +\\| (?:\`(.+?)\`|not tried) +\\|$`,
  'gm',
);

const ROWS = [...projectFile('docs/limits.md').matchAll(LINE)].map(
  ([, area = '', name = '', value = '', variable = '', , file = '', constant = '', test = '']): Limit => ({
    area,
    name,
    value,
    variable,
    file,
    constant,
    test,
  }),
);
/** The rows without a constant say of a choice how it is made. */
const [LIMITS, CHOICES] = [ROWS.filter(({ file }) => file !== ''), ROWS.filter(({ file }) => file === '')];

/** Returns the number in a cell; times in milliseconds, sizes in bytes. What is counted stands behind it. */
function documented(value: string): number {
  const [, digits = '', unit = ''] = /^([\d. ]*\d) ([A-Za-z ]+)$/.exec(value) ?? [];
  return digits === '' ? Number.NaN : Number(digits.replaceAll(' ', '')) * (UNITS[unit] ?? 1);
}

/** The units of constants by the end of their names; MiB where the table names a size. */
const ENDINGS: readonly (readonly [RegExp, number])[] = [
  [/_SECONDS$/, 1_000],
  [/_DAYS$/, 86_400_000],
  [/_MIB$/, 2 ** 20],
];

/** Returns the number of a constant, of a member of one (`LIMITS.depth`), or of the default of a variable. */
function inCode(text: string, constant: string): number {
  const unit = ENDINGS.find(([ending]) => ending.test(constant))?.[1] ?? 1;
  const variable = new RegExp(`\\['${constant}', wholeNumber\\([^)]*\\)\\.default\\(([\\d_]+)\\)\\]`).exec(text)?.[1];
  return evaluate(text, variable ?? expressionOf(text, constant)) * unit;
}

function expressionOf(text: string, constant: string): string {
  const [name = '', member] = constant.split('.');
  const start = text.search(new RegExp(`(?:^| )${name}(?:: [A-Z]\\w+(?:<[^>]*>)?)? = |\\b${name}: (?=\\d)`, 'm'));
  const rest = start < 0 ? '' : text.slice(start);
  const value = member ? new RegExp(`^[^;]*?\\b${member}: ([^,}]+)`) : /^[^=:]*(?:: \w+)?[=:] ([^,;]+)/;
  return value.exec(rest)?.[1] ?? '';
}

/** Returns the product or power of numbers and other constants of the file. */
function evaluate(text: string, expression: string): number {
  const [base = '', exponent] = expression.trim().split(' ** ');
  if (exponent !== undefined && !base.includes('*')) return Number(base) ** Number(exponent);
  return expression
    .split(' * ')
    .map((factor) => factor.trim())
    .map((factor) => (/^[\d_.]+$/.test(factor) ? Number(factor.replaceAll('_', '')) : ofConstant(text, factor)))
    .reduce((product, factor) => product * factor, 1);
}

function ofConstant(text: string, name: string): number {
  return /^[A-Z][A-Z_]+$/.test(name) ? evaluate(text, expressionOf(text, name)) : Number.NaN;
}

/** Folders whose limits are for programs that the operator connects or simulates, and for what the platform starts itself. */
const INTERNAL_FOLDERS =
  /^(?:kernel\/(?:database\/postgres|telemetry)|subgraphs\/(?:accounts\/sandbox|infrastructure\/machines\/provider|network\/drivers))\//;

/** Constants that bound something but are no limit for a client. */
const INTERNAL = new Set([
  'kernel/database/migrations.ts CONNECTION_TIMEOUT_MS',
  'kernel/database/replica-check.ts TIMEOUT_MS',
  'kernel/jobs/boss.ts STOP_TIMEOUT_MS',
  'kernel/jobs/connections.ts CONNECT_TIMEOUT_MS',
  'kernel/jobs/job-worker.ts SHUTDOWN_TIMEOUT_MS',
  'subgraphs/accounts/notifications/webhook/resolve-name.ts TIMEOUT_MS',
  'subgraphs/infrastructure/certificates/watch.actions.ts TIMEOUT_MS',
  'subgraphs/infrastructure/models/index/manifest.rules.ts MAX_BYTES',
  'subgraphs/network/compile/workers/compiler-thread.ts START_TIMEOUT_MS',
  'subgraphs/sync/blob-store/store/file-writer.ts MAX_WAITING_BYTES',
  'subgraphs/sync/folders/folder/folder.ts MAX_REPORTED_BYTES',
  'subgraphs/sync/inputs/manifest.rules.ts MAX_ENCRYPTED_PATH_BYTES',
  'subgraphs/sync/inputs/manifest.rules.ts MAX_SIZE_BYTES',
  'gateway/graphql/limits/cost.ts MAX_COUNT',
  'gateway/graphql/operation-report.ts MAX_NAME_LENGTH',
  'gateway/graphql/operation-tracing.ts MAX_NAME_LENGTH',
  'gateway/rest/interpreter/clamp.ts MAX_INT',
  'gateway/rest/interpreter/form.ts MAX_TEXT_BYTES',
  'gateway/rest/openapi/examples.ts MAX_DEPTH',
  'gateway/composition/data-directory.ts LOCK_TIMEOUT_MS',
  'gateway/composition/start-checks.ts CONNECT_TIMEOUT_MS',
  'gateway/entrypoints/subgraph.ts KEEP_ALIVE_TIMEOUT_MS',
  'gateway/graphql/token-watch/token-watch.ts MAX_TIMER_MS',
]);

/** Rows without a test: fewer, never more. */
const UNTRIED = 22;

describe('docs/limits.md', () => {
  it('is one table, in the order of areas, and has a row in every line of it', () => {
    const lines = projectFile('docs/limits.md').match(/^\| (?!-)/gm) ?? [];
    expect(ROWS.length).toBe(lines.length - 1);
    const areas = ROWS.map(({ area }) => area).filter((area, index, all) => area !== all[index - 1]);
    expect(areas).toEqual([...new Set(areas)]);
  });

  it.each(LIMITS)('says of “$name” what $constant has', ({ value, file, constant }) => {
    const found = inCode(projectFile(file), constant);
    expect([documented(value), Number.isNaN(found)]).toEqual([found, false]);
  });

  it('names variables that the README explains', () => {
    const readme = projectFile('README.md');
    expect(LIMITS.filter(({ variable }) => variable && !readme.includes(`\`${variable}\``))).toEqual([]);
  });

  it('names tests that exist', () => {
    const named = [...projectFile('docs/limits.md').matchAll(/`(tests\/[\w/.-]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(ROWS.filter(({ test }) => test !== '').length);
    expect(named.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
  });

  it('names a test for every row, except for old limits behind the gateway', () => {
    const untried = LIMITS.filter(({ test }) => test === '');
    expect(untried.filter(({ file }) => file.startsWith('gateway/'))).toEqual([]);
    expect(untried.length).toBeLessThanOrEqual(UNTRIED);
  });

  it('says how choices are made that are no numbers', () => {
    const [batching, documents] = CHOICES;
    expect(CHOICES.map(({ value }) => value)).toEqual(['1 operation', 'off']);
    expect(projectFile(batching?.test ?? '')).toContain("['a batch', [");
    expect(projectFile('kernel/config/config.ts')).toContain(`['${documents?.variable}', trustedDocuments],`);
  });

  it('has every limit of the gateway, every time and size of the kernel and the subgraphs, and every rate', () => {
    const known = new Set(LIMITS.map(({ file, constant }) => `${file} ${constant.split('.')[0]}`));
    const constantsOf = (folders: string[], names: RegExp) =>
      filesIn(folders, '.ts').flatMap(({ path, text }) =>
        [...text.matchAll(names)].map(([, name]) => `${path} ${name}`),
      );
    const constants = [
      ...constantsOf(['gateway'], /^(?:export )?const (MAX_\w+|\w*LIMITS?|\w*TIMEOUT_MS)\b/gm),
      ...constantsOf(['kernel', 'subgraphs'], /^(?:export )?const (MAX_(?:\w+_)?BYTES|\w*TIMEOUT_MS)\b/gm),
    ].filter((constant) => !INTERNAL_FOLDERS.test(constant));
    const rates = code().flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (\w+)(?:: RateLimit)? = \{ scope: /gm)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );
    const missing = [...constants, ...rates].filter((one) => !known.has(one) && !INTERNAL.has(one));
    expect([constants.length > 0, rates.length > 0, missing]).toEqual([true, true, []]);
  });
});
