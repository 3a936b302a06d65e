import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Cleanup } from '../cleanup.js';
import { median } from '../statistics.js';
import { runConcurrently } from '../run-concurrently.js';
import { CHUNK_BYTES, startBare, startPlatform, startTus, type Receiver } from './receivers.js';

const ROUNDS = 3;
const SAMPLE_MS = 10;
const MIB = 1024 * 1024;

/** Throughput of a server with chunks of 16 MiB and concurrent writers. */
export interface UploadFigures {
  readonly server: string;
  readonly writers: number;
  /** The median of the rounds. */
  readonly mibPerSecond: number;
  /** Throughput of the platform divided by this one: above 1 when the platform is faster. */
  readonly platformRatio: number;
  /** Peak resident memory minus resident memory after the start; undefined without /proc. */
  readonly peakMib: number | undefined;
}

interface Round {
  readonly mibPerSecond: number;
  readonly peakMib: number | undefined;
}

/** Measures each server in alternating rounds of `chunks` chunks. The first round warms up. */
export async function measureUploads(
  cleanup: Cleanup,
  { writers, chunks }: { readonly writers: number; readonly chunks: number },
): Promise<UploadFigures[]> {
  const receivers = [await startPlatform(cleanup), await startBare(cleanup), await startTus(cleanup)];
  const idle = receivers.map(({ pid }) => residentMib(pid));
  const rounds: Round[][] = receivers.map(() => []);
  const chunk = randomBytes(CHUNK_BYTES);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, receiver] of receivers.entries())
      rounds[i]?.push(await upload(receiver, { writers, chunks, chunk, idle: idle[i] }));
  }
  const rates = rounds.map((results) => median(results.slice(1).map(({ mibPerSecond }) => mibPerSecond)));
  return receivers.map(({ name }, i) => {
    const peaks = (rounds[i] ?? []).flatMap(({ peakMib }) => peakMib ?? []);
    const rate = rates[i] ?? 0;
    return {
      server: name,
      writers,
      mibPerSecond: rate,
      platformRatio: (rates[0] ?? 0) / rate,
      peakMib: peaks.length > 0 ? Math.max(...peaks) : undefined,
    };
  });
}

interface Work {
  readonly writers: number;
  readonly chunks: number;
  readonly chunk: Buffer;
  readonly idle: number | undefined;
}

async function upload(receiver: Receiver, { writers, chunks, chunk, idle }: Work): Promise<Round> {
  const senders = await receiver.prepare(chunks, writers);
  let peak = idle;
  const sample = () => {
    const now = residentMib(receiver.pid);
    if (now !== undefined) peak = Math.max(peak ?? 0, now);
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  const startMs = performance.now();
  await runConcurrently(writers, Array(chunks).keys(), async (_, writer) => senders[writer]?.(chunk));
  const seconds = (performance.now() - startMs) / 1000;
  clearInterval(sampling);
  const peakMib = peak === undefined || idle === undefined ? undefined : peak - idle;
  return { mibPerSecond: (chunks * CHUNK_BYTES) / MIB / seconds, peakMib };
}

/** Resident memory; undefined without /proc. */
function residentMib(pid: number): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}
