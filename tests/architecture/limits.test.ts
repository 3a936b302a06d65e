import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';
import { code, filesIn } from './source.js';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  bytes: 1,
  characters: 1,
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
  readonly name: string;
  readonly value: string;
  readonly variable: string;
  readonly file: string;
  readonly constant: string;
  readonly test: string;
}

const CELL = '\\| ([^|]+?) +';
const LINE = new RegExp(
  `^${CELL}${CELL}\\| +(?:\`(\\w+)\` +)?${CELL}\\| \`(.+?)\` \`(.+?)\` +\\| \`(.+?)\` +\\|$`,
  'gm',
);

const LIMITS = [...projectFile('docs/limits.md').matchAll(LINE)].map(
  ([, name = '', value = '', variable = '', , file = '', constant = '', test = '']): Limit => ({
    name,
    value,
    variable,
    file,
    constant,
    test,
  }),
);

/** Returns the number in a cell; times in milliseconds, sizes in bytes. */
function documented(value: string): number {
  const [, digits = '', unit = ''] = /^([\d. ]*\d)(?: ([A-Za-z]+))?$/.exec(value) ?? [];
  return Number(digits.replaceAll(' ', '')) * (UNITS[unit] ?? Number.NaN);
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

/** Constants of the gateway that bound something but are no limit for a client. */
const INTERNAL = new Set([
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

describe('docs/limits.md', () => {
  it('has a row in every line of its tables', () => {
    const lines = projectFile('docs/limits.md').match(/^\| (?!Limit |-)/gm) ?? [];
    expect(LIMITS.length).toBe(lines.length);
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
    expect(named.length).toBeGreaterThan(LIMITS.length);
    expect(named.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
  });

  it('names the test that refuses a batch', () => {
    const [, file = ''] = /\*\*batching\*\* is off.*\(`(.+?)`\)/.exec(projectFile('docs/limits.md')) ?? [];
    expect(projectFile(file)).toContain("['a batch', [");
  });

  it('has every limit of the gateway and every rate of a user', () => {
    const known = new Set(LIMITS.map(({ file, constant }) => `${file} ${constant.split('.')[0]}`));
    const constants = filesIn(['gateway'], '.ts').flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (MAX_\w+|\w*LIMITS?|\w*TIMEOUT_MS)\b/gm)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );
    const rates = code().flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (\w+)(?:: RateLimit)? = \{ scope: /gm)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );
    const missing = [...constants, ...rates].filter((one) => !known.has(one) && !INTERNAL.has(one));
    expect([rates.length > 0, missing]).toEqual([true, []]);
  });
});
