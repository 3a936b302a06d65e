import { randomBytes } from 'node:crypto';
import type { Cleanup } from '../cleanup.js';
import { cpuMs, residentKib } from '../processes.js';
import type { Row } from '../report.js';
import type { Scale } from '../scale.js';
import { median } from '../statistics.js';
import { runConcurrently } from '../run-concurrently.js';
import { CHUNK_BYTES, startBare, startPlatform, startTus, type Receiver } from './receivers.js';

const SAMPLE_MS = 10;
const WRITERS = [4, 16];

/** The costs of a chunk. */
interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Peak resident memory minus resident memory after the start. */
  readonly peakMib: number;
}

/** Measures chunks of 16 MiB by few and by many writers. */
export async function measureUploads(cleanup: Cleanup, scale: Scale): Promise<Row[]> {
  const receivers = [await startPlatform(cleanup), await startBare(cleanup), await startTus(cleanup)];
  const idle = receivers.map(({ pid }) => residentKib(pid) ?? Number.NaN);
  const rows: Row[] = [];
  for (const writers of WRITERS) rows.push(...(await compareReceivers(receivers, { writers, idle, scale })));
  return rows;
}

interface Upload {
  readonly writers: number;
  /** Resident memory of each receiver after its start, in KiB. */
  readonly idle: readonly number[];
  readonly scale: Scale;
}

/** Measures the receivers in alternating rounds. The first round warms up. */
async function compareReceivers(receivers: readonly Receiver[], { writers, idle, scale }: Upload): Promise<Row[]> {
  const { rounds, chunks } = scale;
  const costs = receivers.map(() => new Array<Cost>());
  const chunk = randomBytes(CHUNK_BYTES);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, receiver] of receivers.entries()) {
      const cost = await upload(receiver, { writers, chunks, chunk, idleKib: idle[i] ?? 0 });
      if (round > 0) costs[i]?.push(cost);
    }
  }
  const work = `PUT of a chunk of 16 MiB, ${writers} writers`;
  const medianOf = (i: number, part: keyof Cost) => median((costs[i] ?? []).map((cost) => cost[part]));
  return receivers.slice(1).flatMap(({ name: peer }, i) => {
    const row = (unit: string, part: keyof Cost, goal = ''): Row => {
      return { work, peer, unit, ours: medianOf(0, part), theirs: medianOf(i + 1, part), goal };
    };
    return [row('CPU ms', 'cpuMs'), row('wall ms', 'wallMs', '1 ×'), row('MiB above idle', 'peakMib', '200')];
  });
}

interface Work {
  readonly writers: number;
  readonly chunks: number;
  readonly chunk: Buffer;
  readonly idleKib: number;
}

async function upload(receiver: Receiver, { writers, chunks, chunk, idleKib }: Work): Promise<Cost> {
  const senders = await receiver.prepare(chunks, writers);
  let peakKib = idleKib;
  const sampling = setInterval(() => (peakKib = Math.max(peakKib, residentKib(receiver.pid) ?? 0)), SAMPLE_MS);
  const [startCpuMs, startMs] = [cpuMs([receiver.pid]) ?? Number.NaN, performance.now()];
  await runConcurrently(writers, Array(chunks).keys(), async (_, writer) => senders[writer]?.(chunk));
  const wallMs = ((performance.now() - startMs) * writers) / chunks;
  clearInterval(sampling);
  const usedMs = (cpuMs([receiver.pid]) ?? Number.NaN) - startCpuMs;
  return { cpuMs: usedMs / chunks, wallMs, peakMib: (peakKib - idleKib) / 1024 };
}
