import { METRICS } from '../telemetry/metrics.js';

/** Maximum number of events whose way is measured at once; others are not measured. */
const MAX_MEASURED = 1_000;

const DELIVERY_SECONDS = METRICS.histogram(
  'event_delivery_seconds',
  'Time from the commit of a change until its event comes back from the event bus, and so reaches other processes.',
  ['subgraph'],
  [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30],
);

/** Measures how long events take, by those of this process that the bus returns to it. */
export class EventLag {
  /** By payload. */
  private readonly publishedAtMs = new Map<string, number>();

  constructor(private readonly subgraph: string) {}

  published(payload: string): void {
    if (this.publishedAtMs.size < MAX_MEASURED && !this.publishedAtMs.has(payload))
      this.publishedAtMs.set(payload, performance.now());
  }

  returned(payload: string): void {
    const publishedAtMs = this.publishedAtMs.get(payload);
    if (publishedAtMs === undefined) return;
    this.publishedAtMs.delete(payload);
    DELIVERY_SECONDS.observe([this.subgraph], (performance.now() - publishedAtMs) / 1000);
  }

  /** Forgets events that a broken connection may have lost. */
  reset(): void {
    this.publishedAtMs.clear();
  }
}
