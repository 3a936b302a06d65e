import { beforeAll, describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { addMetrics } from '../../gateway/http/metrics.js';
import { projectFile } from '../kit/compose.js';

interface Panel {
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string }[];
}

/** Keywords of PromQL that no parenthesis follows. */
const WORDS = new Set(['sum', 'or']);
/** Labels that Prometheus adds to each target. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

const { panels } = JSON.parse(projectFile('deploy/grafana/dashboards/archipelago.json')) as { panels: Panel[] };
const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

/** Names of metrics in an expression. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-z_]\w*(?![\w(])/g)].map(([name]) => name).filter((name) => !WORDS.has(name));
}

/** Names of labels in an expression. */
function labelsIn(expression: string): string[] {
  const matched = [...expression.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, name = '']) => name);
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
  return [...matched, ...grouped];
}

describe('the board', () => {
  let text: string;
  beforeAll(async () => {
    const app = fastify();
    addMetrics(app, 'http://localhost:4000');
    app.get('/', () => 'an answer');
    await app.inject('/');
    text = (await app.inject('/metrics')).body;
    await app.close();
  });

  it.each(expressions)('shows in “%s” what /metrics has: %s', (_, expression) => {
    const series = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' || type === 'summary' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    const names = metricsIn(expression);
    expect(names).not.toEqual([]);
    expect([...series, ...OF_PROMETHEUS.metrics]).toEqual(expect.arrayContaining(names));
  });

  it.each(expressions)('asks in “%s” for labels that it has: %s', (_, expression) => {
    const labels = [...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name);
    expect([...labels, ...OF_PROMETHEUS.labels]).toEqual(expect.arrayContaining(labelsIn(expression)));
  });

  it('looks at the job and the source that are set up', () => {
    const [, job] = /job_name: (\w+)/.exec(projectFile('deploy/prometheus.yml')) ?? [];
    expect(expressions.filter(([, expression]) => !expression.includes(`job="${job}"`))).toEqual([]);
    const [, uid] = /uid: (\w+)/.exec(projectFile('deploy/grafana/provisioning/datasources/prometheus.yml')) ?? [];
    expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(new Set([uid]));
  });
});
