import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { packageRoot } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';
import { sayExpected } from '../kit/expected-lines.js';
import { labelsIn, metricsIn, shownMetrics } from '../kit/telemetry/promql.js';

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

const RULES = 'deploy/prometheus-rules.yml';
const { groups } = parse(projectFile(RULES)) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const named = rules.map((rule) => [rule.alert ?? rule.record ?? '', rule.expr] as const);
const levels = projectFile('docs/service-levels.md');

const PROMTOOL = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find(existsSync);

/** Runs promtool in the folder of the project. @throws with its output */
async function promtool(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(PROMTOOL ?? '', words, { cwd: packageRoot() });
  return stdout;
}

describe('the rules of Prometheus', () => {
  let shown: Awaited<ReturnType<typeof shownMetrics>>;
  beforeAll(async () => {
    shown = await shownMetrics();
  });

  it.each(named)('%s asks for metrics and labels that the platform has', (_, expression) => {
    expect(shown.series).toEqual(expect.arrayContaining(metricsIn(expression)));
    expect(shown.labels).toEqual(expect.arrayContaining(labelsIn(expression)));
  });

  it.each(named)('%s uses recording rules that are there', (_, expression) => {
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

    it('alert when they should, and not otherwise', async () => {
      expect(await promtool('test', 'rules', 'tests/deploy/prometheus-rules.test.yml')).toContain('SUCCESS');
    });
  }
});
