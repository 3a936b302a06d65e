import 'reflect-metadata';
import { cpus, loadavg } from 'node:os';
import { Cleanup } from '../cleanup.js';
import type { Latency } from '../timing.js';
import { measureAnswers, type AnswerFigures } from './answers.js';
import { SCALE } from './dataset.js';
import { startEnvironment } from './environment.js';

/**
 * `npm run bench:infrastructure`: REST lists and searches of 100,000 model versions and 100,000 machines. Compares each with
 * a bare server that sends the same bytes and, for searches, with a naive query. Prints a Markdown table; the last line is the
 * result as JSON.
 */
const cleanup = new Cleanup();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const latency = ({ p50Ms, p99Ms }: Latency) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;

function printRow({ name, matches, bytes, ours, bare, naive }: AnswerFigures): void {
  const baseline = `${latency(bare)} (${(ours.p50Ms / bare.p50Ms).toFixed(1)} times)`;
  const naiveCell =
    naive === undefined ? '–' : `${latency(naive)} (${(naive.p50Ms / ours.p50Ms).toFixed(1)} times ours)`;
  print(`| ${name} | ${matches ?? '–'} | ${bytes} | ${latency(ours)} | ${baseline} | ${naiveCell} |`);
}

const load = () => loadavg()[0]?.toFixed(1) ?? '?';

try {
  const scale = Object.entries(SCALE).map(([name, count]) => `${name} ${count}`);
  print(`${scale.join(', ')}; ${cpus().length} processors, load ${load()}\n`);
  const environment = await startEnvironment(cleanup);
  print('| p50 / p99 in ms | matches | bytes | platform | bare node:http | naive query alone |');
  print('| --- | --- | --- | --- | --- | --- |');
  const answers = await measureAnswers(environment, printRow);
  print(`\nload ${load()} afterwards\n${JSON.stringify({ answers })}`);
} finally {
  await cleanup.run();
}
