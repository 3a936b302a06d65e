import 'reflect-metadata';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Cleanup } from '../cleanup.js';
import { measureAnswers, type AnswerFigures } from './answers.js';
import { measureCompile, measureStalls, type CompileFigures, type Stall, type StallFigures } from './compiling.js';
import { SCALE } from './dataset.js';
import { measureEvents, measureMemory, type EventFigures, type MemoryFigures } from './events.js';
import { Listener } from './listener.js';
import { startEnvironment } from './environment.js';

/**
 * `npm run bench:network`: compiles a network of 2,000 peers, reads it over REST and subscribes to it. Compares each with a
 * baseline of the same run. Prints a Markdown table; the last line is the result as JSON. `-- --only` runs only these parts,
 * separated by commas: compile, answers, events, memory.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });

const cleanup = new Cleanup();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));

interface Row {
  readonly name: string;
  readonly figure: string;
  readonly baseline: string;
  readonly ratio: string;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const kib = (value: number | undefined) => (value === undefined ? '?' : `${value.toFixed(0)} KiB`);
const times = (value: number) => value.toFixed(1);
const latency = ({ p50Ms, p99Ms }: AnswerFigures) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;

function compileRows({ wholeMs, baselineMs, compileMs, bytes, ratio }: CompileFigures): Row[] {
  const name = `rows to ${SCALE.peers} configurations, ${(bytes / 2 ** 20).toFixed(1)} MiB; compiling ${ms(compileMs)}`;
  return [{ name, figure: ms(wholeMs), baseline: `${ms(baselineMs)}, with existing plans`, ratio: times(ratio) }];
}

function stallRows({ threaded, mainThread }: StallFigures): Row[] {
  const name = 'longest stall of the event loop while a change is compiled, and its CPU time';
  const stall = ({ stallMs, workMs, wholeMs }: Stall) => `${ms(stallMs)}, CPU ${ms(workMs)}, of ${ms(wholeMs)}`;
  const baseline = `${stall(mainThread)}, without a thread`;
  return [{ name, figure: stall(threaded), baseline, ratio: (threaded.stallMs / mainThread.stallMs).toFixed(3) }];
}

function answerRows(answers: readonly AnswerFigures[]): Row[] {
  const baselines = answers.slice(2);
  return answers.slice(0, 2).flatMap((answer) =>
    baselines.map((baseline) => ({
      name: `${answer.name}, ${answer.bytes} bytes`,
      figure: latency(answer),
      baseline: `${baseline.name}: ${latency(baseline)}`,
      ratio: times(answer.p50Ms / baseline.p50Ms),
    })),
  );
}

function eventRows(events: readonly EventFigures[]): Row[] {
  return events.map(({ name, subscribers, sockets, bytes, ms: ours, baselineMs }) => ({
    name: `${name}, until ${subscribers} subscribers on ${sockets} sockets have it, ${bytes} bytes each`,
    figure: ms(ours),
    baseline: `${ms(baselineMs)}, a bare ws server`,
    ratio: times(ours / baselineMs),
  }));
}

function memoryRows({ sockets, kibPerSocket, baselineKibPerSocket }: MemoryFigures): Row[] {
  const name = `memory for each of ${sockets} subscribed sockets`;
  const ratio = times((kibPerSocket ?? Number.NaN) / (baselineKibPerSocket ?? Number.NaN));
  return [{ name, figure: kib(kibPerSocket), baseline: `${kib(baselineKibPerSocket)}, a bare ws server`, ratio }];
}

async function run<Figures>(
  part: string,
  measure: () => Promise<Figures>,
  rowsOf: (figures: Figures) => readonly Row[],
): Promise<Figures | undefined> {
  if (values.only !== undefined && !values.only.split(',').includes(part)) return undefined;
  const figures = await measure();
  for (const { name, figure, baseline, ratio } of rowsOf(figures))
    print(`| ${name} | ${figure} | ${baseline} | ${ratio} |`);
  return figures;
}

const load = () => loadavg()[0]?.toFixed(1) ?? '?';

try {
  const scale = Object.entries(SCALE).map(([name, count]) => `${count} ${name}`);
  print(`${scale.join(', ')}; ${cpus().length} processors, load ${load()}\n`);
  const environment = await startEnvironment(cleanup);
  print('| name | platform | baseline | platform / baseline |\n| --- | --- | --- | --- |');
  // Memory first: later parts leave free heap in the server.
  const memory = await run('memory', () => measureMemory(environment), memoryRows);
  const compiled = await run('compile', () => measureCompile(environment), compileRows);
  const stalls = await run('compile', () => measureStalls(environment), stallRows);
  const answers = await run('answers', () => measureAnswers(environment), answerRows);
  const events = await run('events', () => measureEvents(environment), eventRows);
  await cleanup.run();
  print(
    `\nload ${load()} afterwards, retries of busy sockets: ${Listener.retries}\n${JSON.stringify({ compiled, stalls, answers, events, memory })}`,
  );
} finally {
  await cleanup.run();
}
