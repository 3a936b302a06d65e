import { beforeAll, describe, expect, it } from '@jest/globals';
import { projectFile } from '../kit/compose.js';
import { BOARD, panels } from '../kit/telemetry/board.js';
import { labelsIn, metricsIn, shownMetrics } from '../kit/telemetry/promql.js';

describe('the board', () => {
  let shown: Awaited<ReturnType<typeof shownMetrics>>;
  beforeAll(async () => {
    shown = await shownMetrics();
  });

  it.each(BOARD)('shows in “%s” what /metrics has: %s', (_, expression) => {
    const names = metricsIn(expression);
    expect(names).not.toEqual([]);
    expect(shown.series).toEqual(expect.arrayContaining(names));
  });

  it.each(BOARD)('asks in “%s” for labels that it has: %s', (_, expression) => {
    expect(shown.labels).toEqual(expect.arrayContaining(labelsIn(expression)));
  });

  it('looks at the job and the source that are set up', () => {
    const [, job] = /job_name: (\w+)/.exec(projectFile('deploy/prometheus.yml')) ?? [];
    expect(BOARD.filter(([, expression]) => !new RegExp(`job=~?"${job}(?:\\.\\*)?"`).test(expression))).toEqual([]);
    const [, uid] = /uid: (\w+)/.exec(projectFile('deploy/grafana/provisioning/datasources/prometheus.yml')) ?? [];
    expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(new Set([uid]));
  });
});
