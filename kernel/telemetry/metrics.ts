import { Counter, Registry } from 'prom-client';

/** The Prometheus metrics of this process. */
export const METRICS = new Registry();

/** Creates a counter with one label; the label must have few values. */
export function countBy(name: string, label: string, help: string): Counter {
  return new Counter({ name, help, labelNames: [label], registers: [METRICS] });
}
