import { beforeAll, describe, expect, it } from '@jest/globals';
import { projectFile } from '../kit/compose.js';
import { labelsIn, metricsIn, shownMetrics } from '../kit/telemetry/promql.js';

interface Panel {
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(projectFile('deploy/grafana/dashboards/archipelago.json')) as { panels: Panel[] };
const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

describe('the board', () => {
  let shown: Awaited<ReturnType<typeof shownMetrics>>;
  beforeAll(async () => {
    shown = await shownMetrics();
  });

  it.each(expressions)('shows in “%s” what /metrics has: %s', (_, expression) => {
    const names = metricsIn(expression);
    expect(names).not.toEqual([]);
    expect(shown.series).toEqual(expect.arrayContaining(names));
  });

  it.each(expressions)('asks in “%s” for labels that it has: %s', (_, expression) => {
    expect(shown.labels).toEqual(expect.arrayContaining(labelsIn(expression)));
  });

  it('looks at the job and the source that are set up', () => {
    const [, job] = /job_name: (\w+)/.exec(projectFile('deploy/prometheus.yml')) ?? [];
    expect(expressions.filter(([, expression]) => !new RegExp(`job=~?"${job}(?:\\.\\*)?"`).test(expression))).toEqual(
      [],
    );
    const [, uid] = /uid: (\w+)/.exec(projectFile('deploy/grafana/provisioning/datasources/prometheus.yml')) ?? [];
    expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(new Set([uid]));
  });
});
