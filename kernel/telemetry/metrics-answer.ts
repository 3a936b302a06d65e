import { METRICS } from './metrics.js';

const OPENMETRICS = /application\/openmetrics-text/;

interface MetricsAnswer {
  /** The Content-Type. */
  readonly type: string;
  readonly text: string;
}

/** Writes the metrics of this process as OpenMetrics if the `Accept` header prefers it, else as text of Prometheus. */
export async function writeMetrics(accept: string | undefined): Promise<MetricsAnswer> {
  if (weightOf(OPENMETRICS, accept) > weightOf(/text\/plain/, accept)) {
    const text = await METRICS.text('openmetrics');
    return { type: 'application/openmetrics-text; version=1.0.0; charset=utf-8', text };
  }
  return { type: 'text/plain; version=0.0.4; charset=utf-8', text: await METRICS.text('prometheus') };
}

/** The highest weight (RFC 9110, 12.4.2) of a media type in an `Accept` header; 0 if it is not named. */
function weightOf(type: RegExp, accept = ''): number {
  const named = accept.split(',').filter((range) => type.test(range));
  return Math.max(0, ...named.map((range) => Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1) || 0));
}
