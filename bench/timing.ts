import { percentile } from './figures.js';

const TIMES = 150;
const LIMIT_MS = 5_000;
const WARM_UP = 10;

/** How long something took, one after the other. */
export interface Timed {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly times: number;
}

/** Does it so many times, or as many as there is time for, having warmed up. */
export async function timed(work: () => Promise<unknown>): Promise<Timed> {
  for (let i = 0; i < WARM_UP; i++) await work();
  const beginMs = performance.now();
  const ms: number[] = [];
  while (ms.length < TIMES && performance.now() - beginMs < LIMIT_MS) {
    const startMs = performance.now();
    await work();
    ms.push(performance.now() - startMs);
  }
  return { p50Ms: percentile(ms, 0.5), p99Ms: percentile(ms, 0.99), times: ms.length };
}
