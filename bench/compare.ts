import { deepStrictEqual } from 'node:assert';
import { cpuMs } from './processes.js';
import type { Row } from './report.js';
import { closeConnections } from './send-request.js';
import { median } from './statistics.js';

/** A program that does the work of a row. The first candidate of a row is the platform. */
export interface Candidate {
  readonly name: string;
  /** The share of its CPU time that the platform wants to reach. */
  readonly goal?: number | undefined;
  /** The processes whose CPU time counts, with that of their children. */
  readonly pids: readonly number[];
  /** Does the work once. */
  readonly request: () => Promise<{ readonly bytes: Buffer }>;
}

/** How long the work is repeated. */
export interface MeasureOptions {
  /** Time of a candidate in a round; it does the work at least once. */
  readonly roundMs: number;
  readonly rounds: number;
  /** Concurrent requests. */
  readonly parallel: number;
}

/** What a request costs. */
export interface Cost {
  /** CPU time. */
  readonly cpuMs: number;
  /** Time until its answer, at the number of concurrent requests of the options. */
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

/** Compares candidates. Returns two rows for each peer: CPU time and time until the answer. @throws when the answers differ */
export async function compare(work: string, candidates: readonly Candidate[], options: MeasureOptions): Promise<Row[]> {
  const comparisons = await measureComparisons(work, candidates, options);
  return comparisons.flatMap(({ ours, theirs, ...row }) => [
    { ...row, unit: 'CPU ms', ours: ours.cpuMs, theirs: theirs.cpuMs },
    { ...row, goal: '', unit: 'wall ms', ours: ours.wallMs, theirs: theirs.wallMs },
  ]);
}

/** Compares candidates in alternating rounds, after one long round that warms up. @throws when the answers differ */
export async function measureComparisons(
  work: string,
  candidates: readonly Candidate[],
  options: MeasureOptions,
): Promise<Comparison[]> {
  const answers: unknown[] = [];
  for (const { request } of candidates) answers.push(JSON.parse((await request()).bytes.toString()));
  for (const [i, answer] of answers.entries())
    deepStrictEqual(answer, answers[0], `${work}: the answer of ${candidates[i]?.name} differs`);
  const [ours = NO_COST, ...costs] = await measureCosts(candidates, options);
  return costs.map((theirs, i) => {
    const { name: peer = '', goal } = candidates[i + 1] ?? {};
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

/** Returns the median costs of each candidate. */
export async function measureCosts(candidates: readonly Measured[], options: MeasureOptions): Promise<Cost[]> {
  const costs = candidates.map(() => new Array<Cost>());
  for (const candidate of candidates) await measure(candidate, { ...options, roundMs: WARM_UP * options.roundMs });
  for (let round = 0; round < options.rounds; round++)
    for (const [i, candidate] of candidates.entries()) costs[i]?.push(await measure(candidate, options));
  return costs.map((rounds) => ({
    cpuMs: median(rounds.map((cost) => cost.cpuMs)),
    wallMs: median(rounds.map((cost) => cost.wallMs)),
  }));
}

async function measure({ pids, request }: Measured, { roundMs, parallel }: MeasureOptions): Promise<Cost> {
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
