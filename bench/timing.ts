import { percentile } from './statistics.js';

const MAX_RUNS = 150;
const TIME_LIMIT_MS = 5_000;
const WARM_UP_RUNS = 10;

/** Latency of sequential runs. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly runs: number;
}

/** Warms up, then measures up to MAX_RUNS runs within TIME_LIMIT_MS. */
export async function measureLatency(work: () => Promise<unknown>): Promise<Latency> {
  for (let i = 0; i < WARM_UP_RUNS; i++) await work();
  const firstStartMs = performance.now();
  const ms: number[] = [];
  while (ms.length < MAX_RUNS && performance.now() - firstStartMs < TIME_LIMIT_MS) {
    const startMs = performance.now();
    await work();
    ms.push(performance.now() - startMs);
  }
  return { p50Ms: percentile(ms, 0.5), p99Ms: percentile(ms, 0.99), runs: ms.length };
}
