import { Counter, Registry } from 'prom-client';

/** What the parts of the platform that run in this process count, for Prometheus. */
export const METRICS = new Registry();

/** A count of this process with one label, of which there are few values. */
export function countBy(name: string, label: string, help: string): Counter {
  return new Counter({ name, help, labelNames: [label], registers: [METRICS] });
}
