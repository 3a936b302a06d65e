import { deepStrictEqual } from 'node:assert';
import { cpuMs } from './processes.js';
import type { Row } from './report.js';
import { closeConnections } from './send-request.js';
import { median } from './statistics.js';

/** A program that does the work of a row. The first contestant of a row is the platform. */
export interface Contestant {
  readonly name: string;
  /** The share of its CPU time that the platform wants to reach. */
  readonly goal?: number | undefined;
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

/** What a request costs. */
export interface Cost {
  /** CPU time. */
  readonly cpuMs: number;
  /** Time until its answer, under as many requests at once as the effort says. */
  readonly wallMs: number;
}

/** The median costs of the platform beside those of one peer. */
export interface Comparison {
  readonly work: string;
  readonly peer: string;
  readonly goal: string;
  readonly ours: Cost;
  readonly theirs: Cost;
}

/** Compares contestants. Returns two rows for each peer: CPU time and time until the answer. @throws when the answers differ */
export async function compete(work: string, contestants: readonly Contestant[], effort: Effort): Promise<Row[]> {
  const comparisons = await compare(work, contestants, effort);
  return comparisons.flatMap(({ ours, theirs, ...row }) => [
    { ...row, unit: 'CPU ms', ours: ours.cpuMs, theirs: theirs.cpuMs },
    { ...row, goal: '', unit: 'wall ms', ours: ours.wallMs, theirs: theirs.wallMs },
  ]);
}

/** Compares contestants in alternating rounds, after one long round that warms up. @throws when the answers differ */
export async function compare(work: string, contestants: readonly Contestant[], effort: Effort): Promise<Comparison[]> {
  const answers: unknown[] = [];
  for (const { request } of contestants) answers.push(JSON.parse((await request()).bytes.toString()));
  for (const [i, answer] of answers.entries())
    deepStrictEqual(answer, answers[0], `${work}: the answer of ${contestants[i]?.name} differs`);
  const [ours = NO_COST, ...costs] = await measureCosts(contestants, effort);
  return costs.map((theirs, i) => {
    const { name: peer = '', goal } = contestants[i + 1] ?? {};
    return { work, peer, goal: goal === undefined ? '' : `${goal} ×`, ours, theirs };
  });
}

/** Rounds until V8 has compiled what is called often. */
const WARM_UP = 8;

const NO_COST: Cost = { cpuMs: Number.NaN, wallMs: Number.NaN };

/** What is repeated, and the processes whose CPU time counts. */
interface Measured {
  readonly pids: readonly number[];
  readonly request: () => Promise<unknown>;
}

/** Returns the median costs of each contestant. */
export async function measureCosts(contestants: readonly Measured[], effort: Effort): Promise<Cost[]> {
  const costs = contestants.map(() => new Array<Cost>());
  for (const contestant of contestants) await measure(contestant, { ...effort, roundMs: WARM_UP * effort.roundMs });
  for (let round = 0; round < effort.rounds; round++)
    for (const [i, contestant] of contestants.entries()) costs[i]?.push(await measure(contestant, effort));
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
  const usedMs = (cpuMs(pids) ?? Number.NaN) - startCpuMs;
  closeConnections();
  return { cpuMs: usedMs / requests, wallMs };
}
