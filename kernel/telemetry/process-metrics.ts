import { readdirSync, readFileSync } from 'node:fs';
import { constants, monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { METRICS, type Sample } from './metrics.js';

/** Histogram buckets in seconds, from a scavenge to a full collection of a large heap. */
const GC_BUCKETS_SECONDS = [0.001, 0.01, 0.1, 1];

const GC_KINDS = new Map<number, string>([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
]);

/** Milliseconds between two measurements of the event loop; the lag is what a timer is late. */
const EVENT_LOOP_RESOLUTION_MS = 10;

const newGauge = (name: string, help: string, labelNames: readonly string[] = []) =>
  METRICS.gauge(name, help, labelNames);

const CPU_SECONDS = METRICS.counter('process_cpu_seconds_total', 'CPU time of the process, user and system.', []);
const START_TIME = newGauge('process_start_time_seconds', 'When the process started, in Unix seconds.');
const RESIDENT = newGauge('process_resident_memory_bytes', 'Resident memory of the process.');
const OPEN_FILES = newGauge('process_open_fds', 'Open files and sockets.');
const MAX_FILES = newGauge('process_max_fds', 'Limit of open files and sockets.');
const HEAP_USED = newGauge('nodejs_heap_size_used_bytes', 'Used part of the heap.');
const HEAP_TOTAL = newGauge('nodejs_heap_size_total_bytes', 'Size of the heap.');
const EXTERNAL = newGauge('nodejs_external_memory_bytes', 'Memory of buffers outside the heap.');
const LAG = newGauge(
  'nodejs_eventloop_lag_p99_seconds',
  'How late timers were since the last scrape: 99th percentile.',
);
const LAG_MAX = newGauge('nodejs_eventloop_lag_max_seconds', 'How late timers were since the last scrape: maximum.');
const GC_SECONDS = METRICS.histogram(
  'nodejs_gc_duration_seconds',
  'Duration of garbage collections.',
  ['kind'],
  GC_BUCKETS_SECONDS,
);

/** Measures the process: CPU, memory, files, event loop and garbage collection. */
export function measureProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const collections = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) GC_SECONDS.observe([kindOf(entry)], entry.duration / 1000);
  });
  collections.observe({ entryTypes: ['gc'] });
  let countedSeconds = 0;
  METRICS.observe(() => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    CPU_SECONDS.add([], seconds - countedSeconds);
    countedSeconds = seconds;
    const lateSeconds = (ns: number) => Math.max(0, ns / 1e9 - EVENT_LOOP_RESOLUTION_MS / 1e3);
    const [p99, max] = delay.count > 0 ? [lateSeconds(delay.percentile(99)), lateSeconds(delay.max)] : [0, 0];
    delay.reset();
    return [...memory(), ...files(), sampleOf(LAG, p99), sampleOf(LAG_MAX, max)];
  });
}

function memory(): Sample[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return [
    sampleOf(RESIDENT, rss),
    sampleOf(HEAP_USED, heapUsed),
    sampleOf(HEAP_TOTAL, heapTotal),
    sampleOf(EXTERNAL, external),
    sampleOf(START_TIME, Math.round(Date.now() / 1000 - process.uptime())),
  ];
}

/** Returns the limit of open files and sockets of this process; infinite where it is not known. Only Linux tells it. */
export function maxOpenFiles(): number {
  try {
    return Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** Only Linux has these. */
function files(): Sample[] {
  try {
    const limit = maxOpenFiles();
    return [
      sampleOf(OPEN_FILES, readdirSync('/proc/self/fd').length),
      ...(limit === Infinity ? [] : [sampleOf(MAX_FILES, limit)]),
    ];
  } catch {
    return [];
  }
}

function sampleOf(gauge: Sample['gauge'], value: number): Sample {
  return { gauge, labels: [], value };
}

function kindOf(entry: PerformanceEntry): string {
  const { detail } = entry.toJSON() as { readonly detail?: { readonly kind?: number } };
  return GC_KINDS.get(detail?.kind ?? 0) ?? 'other';
}
