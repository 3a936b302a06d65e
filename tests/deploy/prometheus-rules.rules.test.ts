import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { packageRoot } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';
import { BOARD } from '../kit/telemetry/board.js';
import { sayExpected } from '../kit/expected-lines.js';
import { namedRules, rules, RULES } from '../kit/telemetry/prometheus-rules.js';
import { metricsIn } from '../kit/telemetry/promql.js';

interface Case {
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  readonly promql_expr_test?: readonly {
    readonly expr: string;
    readonly exp_samples: readonly { readonly labels: string }[];
  }[];
}

const alerts = rules.filter(({ alert }) => alert !== undefined);
const levels = projectFile('docs/service-levels.md');

const CASES = ['prometheus-rules', 'prometheus-days'].map((name) => `tests/deploy/${name}.test.yml`);
const cases = CASES.flatMap((file) => (parse(projectFile(file)) as { tests: Case[] }).tests);

/** Alerts that a case expects. */
function firingIn({ alert_rule_test: byName = [], promql_expr_test: expressions = [] }: Case): string[] {
  const expected = expressions.filter(({ expr, exp_samples: samples }) => /ALERTS/.test(expr) && samples.length > 0);
  const texts = expected.flatMap(({ expr, exp_samples: samples }) => [expr, ...samples.map(({ labels }) => labels)]);
  return [
    ...byName.filter(({ exp_alerts: alerted }) => alerted.length > 0).map(({ alertname }) => alertname),
    ...texts.flatMap((text) => [...text.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)),
  ];
}

/** Metrics for which a case expects no alert at all. */
function quietIn({ input_series: series, promql_expr_test: expressions = [] }: Case): string[] {
  const isQuiet = expressions.some(
    ({ expr, exp_samples: samples }) => /^ALERTS(?:\{alertstate="firing"\})?$/.test(expr) && samples.length === 0,
  );
  return isQuiet ? series.map((one) => /^\w+/.exec(one.series)?.[0] ?? '') : [];
}

/** The metrics of an expression, or of the recording rules in it. */
function sourcesOf(expression: string): string[] {
  const recorded = rules.filter(({ record }) => record !== undefined && expression.includes(record));
  return [expression, ...recorded.map(({ expr }) => expr)].flatMap(metricsIn);
}

const PROMTOOL = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find(existsSync);

/** Runs promtool in the folder of the project. @throws with its output */
async function promtool(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(PROMTOOL ?? '', words, { cwd: packageRoot() });
  return stdout;
}

/** Writes files into a new folder for the time of the work. */
async function withFiles(files: Readonly<Record<string, string>>, work: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-prometheus-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the rules of Prometheus', () => {
  it.each(namedRules)('%s uses recording rules that are there', (_, expression) => {
    const recorded = rules.map(({ record }) => record);
    expect(recorded).toEqual(expect.arrayContaining([...expression.matchAll(/\w+:\w+:\w+/g)].map(([name]) => name)));
  });

  it.each(alerts.map((rule) => [rule.alert, rule] as const))('%s says what to do, and who is woken', (_, rule) => {
    expect(['page', 'ticket']).toContain(rule.labels?.severity);
    expect(Object.keys(rule.annotations ?? {}).toSorted()).toEqual(['description', 'summary']);
  });

  it('are all explained in docs/service-levels.md, which names no others', () => {
    const explained = [...levels.matchAll(/^\| `([A-Z]\w+)` /gm)].map(([, name]) => name);
    expect(new Set(explained)).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });

  it.each(alerts.map((rule) => [rule.alert ?? '', rule.expr] as const))(
    '%s has a case in which it fires, and one in which it does not',
    (name, expression) => {
      expect(cases.flatMap(firingIn)).toContain(name);
      expect(cases.flatMap(quietIn)).toEqual(expect.arrayContaining(sourcesOf(expression)));
    },
  );

  it('are those that Prometheus of docker-compose.yml loads', () => {
    expect(projectFile('docker-compose.yml')).toContain(`./${RULES}:/etc/prometheus/rules.yml:ro`);
    expect(projectFile('deploy/prometheus.yml')).toContain('rule_files: [rules.yml]');
  });

  if (PROMTOOL === undefined)
    it('are not tried without promtool', () => {
      sayExpected('promtool is not installed (Debian: apt-get install prometheus): the alerts are not tried');
    });
  else {
    it('are valid', async () => {
      expect(await promtool('check', 'rules', RULES)).toContain('SUCCESS');
    });

    it('are loaded by a configuration that is valid', async () => {
      const token = '/run/secrets/prometheus_token';
      const config = projectFile('deploy/prometheus.yml');
      expect(config).toContain(token);
      // The paths are those of the container. A relative one starts at the folder of the configuration.
      const files = {
        'prometheus.yml': config.replaceAll(token, 'token'),
        token: 'x',
        'rules.yml': projectFile(RULES),
      };
      await withFiles(files, async (folder) => {
        const output = await promtool('check', 'config', join(folder, 'prometheus.yml'));
        expect(output).toContain('SUCCESS: 1 rule files found');
        expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
      });
    });

    it('have beside them a board whose expressions are valid', async () => {
      const rulesOfBoard = BOARD.map(([, expression], index) => ({
        record: `board:expression:${index}`,
        expr: expression.replaceAll('$__rate_interval', '1m'),
      }));
      const text = JSON.stringify({ groups: [{ name: 'board', rules: rulesOfBoard }] });
      await withFiles({ 'board.yml': text }, async (folder) => {
        expect(await promtool('check', 'rules', join(folder, 'board.yml'))).toContain(`${BOARD.length} rules found`);
      });
    });

    it('alert when they should, and not otherwise', async () => {
      expect(await promtool('test', 'rules', ...CASES)).toContain('SUCCESS');
    });
  }
});
