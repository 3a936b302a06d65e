import { beforeAll, describe, expect, it } from '@jest/globals';
import { namedRules } from '../kit/telemetry/prometheus-rules.js';
import { labelsIn, metricsIn, shownMetrics } from '../kit/telemetry/promql.js';

describe('the rules of Prometheus', () => {
  let shown: Awaited<ReturnType<typeof shownMetrics>>;
  beforeAll(async () => {
    shown = await shownMetrics();
  });

  it.each(namedRules)('%s asks for metrics and labels that the platform has', (_, expression) => {
    expect(shown.series).toEqual(expect.arrayContaining(metricsIn(expression)));
    expect(shown.labels).toEqual(expect.arrayContaining(labelsIn(expression)));
  });
});
