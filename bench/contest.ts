import { deepStrictEqual } from 'node:assert';
import { cpuMs } from './processes.js';
import type { Row } from './report.js';
import { median } from './statistics.js';

/** A program that does the work of a row. The first contestant of a row is the platform. */
export interface Contestant {
  readonly name: string;
  /** The processes whose CPU time counts, with that of their children. */
  readonly pids: readonly number[];
  /** Does the work once. */
  readonly request: () => Promise<{ readonly bytes: Buffer }>;
}

/** How long the work is repeated. */
export interface Effort {
  /** Time of a contestant in a round; it does the work at least once. */
  readonly roundMs: number;
  readonly rounds: number;
  /** Requests at the same time. */
  readonly parallel: number;
}

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * Compares contestants in alternating rounds, after one round that warms up. Returns two rows for each peer: medians of the CPU
 * time of a request and of the time until its answer. @throws when the answers differ
 */
export async function compete(work: string, contestants: readonly Contestant[], effort: Effort): Promise<Row[]> {
  const answers: unknown[] = [];
  for (const { request } of contestants) answers.push(JSON.parse((await request()).bytes.toString()));
  for (const answer of answers) deepStrictEqual(answer, answers[0], `${work}: the answers differ`);
  const [ours, ...theirs] = await measureCosts(contestants, effort);
  return theirs.flatMap((cost, i) => {
    const peer = contestants[i + 1]?.name ?? '';
    return [
      { work, peer, unit: 'CPU ms', ours: ours?.cpuMs, theirs: cost.cpuMs },
      { work, peer, unit: 'wall ms', ours: ours?.wallMs, theirs: cost.wallMs },
    ];
  });
}

/** What is repeated, and the processes whose CPU time counts. */
interface Measured {
  readonly pids: readonly number[];
  readonly request: () => Promise<unknown>;
}

/** Returns the median costs of each contestant. */
export async function measureCosts(contestants: readonly Measured[], effort: Effort): Promise<Cost[]> {
  const costs = contestants.map(() => new Array<Cost>());
  for (let round = 0; round <= effort.rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const cost = await measure(contestant, effort);
      if (round > 0) costs[i]?.push(cost);
    }
  }
  return costs.map((rounds) => ({
    cpuMs: median(rounds.map((cost) => cost.cpuMs)),
    wallMs: median(rounds.map((cost) => cost.wallMs)),
  }));
}

async function measure({ pids, request }: Measured, { roundMs, parallel }: Effort): Promise<Cost> {
  const [startCpuMs, startMs] = [cpuMs(pids) ?? Number.NaN, performance.now()];
  let requests = 0;
  const run = async (): Promise<void> => {
    do {
      await request();
      requests++;
    } while (performance.now() - startMs < roundMs);
  };
  await Promise.all(Array.from({ length: parallel }, run));
  const wallMs = ((performance.now() - startMs) * parallel) / requests;
  return { cpuMs: ((cpuMs(pids) ?? Number.NaN) - startCpuMs) / requests, wallMs };
}
