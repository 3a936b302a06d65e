import { METRICS, type GaugeSource, type Sample } from './metrics.js';

/** How long the values of gauges are kept, so that many scrapes are one read. */
const CACHE_TTL_MS = 5_000;

/** Time limit of a read, in milliseconds. Prometheus waits 10 s for all metrics. */
const TIMEOUT_MS = 3_000;

interface SourceTimes {
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly timeoutMs: number;
}

/** Adds gauges that are read from a database. Returns a function that removes them. */
export function observeDatabase(read: () => Promise<readonly Sample[]>): () => void {
  return METRICS.observe(databaseSource(read, { clock: () => performance.now(), timeoutMs: TIMEOUT_MS }));
}

/** A source whose values are kept for a while. A read starts only when the last one has ended; a late or failed one has no values. */
export function databaseSource(read: () => Promise<readonly Sample[]>, { clock, timeoutMs }: SourceTimes): GaugeSource {
  let last:
    { readonly samples: Promise<readonly Sample[]>; readonly startedAtMs: number; isRunning: boolean } | undefined;
  return () => {
    if (!last || (!last.isRunning && clock() > last.startedAtMs + CACHE_TTL_MS)) {
      const started = { samples: read(), startedAtMs: clock(), isRunning: true };
      const end = () => void (started.isRunning = false);
      started.samples.then(end, end);
      last = started;
    }
    return withTimeout(last.samples, timeoutMs);
  };
}

async function withTimeout(samples: Promise<readonly Sample[]>, timeoutMs: number): Promise<readonly Sample[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Sample[]>((resolve) => {
    timer = setTimeout(() => resolve([]), timeoutMs);
  });
  return Promise.race([samples, late]).finally(() => clearTimeout(timer));
}
