import { METRICS, type Sample } from './metrics.js';

/** How long the values of gauges are kept, so that many scrapes are one read. */
const CACHE_TTL_MS = 5_000;

/** Time limit of a read, in milliseconds. Prometheus waits 10 s for all metrics. */
const TIMEOUT_MS = 3_000;

/**
 * Adds gauges that are read from a database. A read starts only when the last one has ended; a late or failed one has no
 * values. Returns a function that removes them.
 */
export function observeDatabase(read: () => Promise<readonly Sample[]>): () => void {
  let last:
    { readonly samples: Promise<readonly Sample[]>; readonly startedAtMs: number; isRunning: boolean } | undefined;
  return METRICS.observe(() => {
    if (!last || (!last.isRunning && performance.now() > last.startedAtMs + CACHE_TTL_MS)) {
      const started = { samples: read(), startedAtMs: performance.now(), isRunning: true };
      const end = () => void (started.isRunning = false);
      started.samples.then(end, end);
      last = started;
    }
    return withTimeout(last.samples);
  });
}

async function withTimeout(samples: Promise<readonly Sample[]>): Promise<readonly Sample[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Sample[]>((resolve) => {
    timer = setTimeout(() => resolve([]), TIMEOUT_MS);
  });
  return Promise.race([samples, late]).finally(() => clearTimeout(timer));
}
