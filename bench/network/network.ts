import 'reflect-metadata';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Ends } from '../ends.js';
import { measureAnswers, type AnswerFigures } from './answers.js';
import { measureCompile, measureStalls, type CompileFigures, type Stall, type StallFigures } from './compiling.js';
import { SCALE } from './dataset.js';
import { measureEvents, measureMemory, type EventFigures, type MemoryFigures } from './events.js';
import { Listener } from './listener.js';
import { startSetting } from './setting.js';

/**
 * `npm run bench:network`: a network of 2,000 peers compiled, answered over REST and watched, each against a floor of the
 * same run, as a table in Markdown; the last line is the outcome as JSON. `-- --only compile`, `answers`, `events` or `memory`,
 * or several of them between commas, leaves out the rest.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });

const ends = new Ends();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void ends.run().finally(() => process.exit(1)));

interface Row {
  readonly what: string;
  readonly figure: string;
  readonly floor: string;
  readonly ratio: string;
}

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const kib = (value: number | undefined) => (value === undefined ? '?' : `${value.toFixed(0)} KiB`);
const times = (value: number) => value.toFixed(1);
const latency = ({ p50Ms, p99Ms }: AnswerFigures) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;

function compileRows({ wholeMs, floorMs, compileMs, bytes, ratio }: CompileFigures): Row[] {
  const what = `rows to ${SCALE.peers} configurations, ${(bytes / 2 ** 20).toFixed(1)} MiB; compiling ${ms(compileMs)}`;
  return [{ what, figure: ms(wholeMs), floor: `${ms(floorMs)}, the same with the plans at hand`, ratio: times(ratio) }];
}

function stallRows({ threaded, here }: StallFigures): Row[] {
  const what = 'longest stall of the event loop while a change of it is compiled, and of its own work';
  const told = ({ stallMs, workMs, wholeMs }: Stall) => `${ms(stallMs)}, own ${ms(workMs)}, of ${ms(wholeMs)}`;
  const floor = `${told(here)}, without a thread`;
  return [{ what, figure: told(threaded), floor, ratio: (threaded.stallMs / here.stallMs).toFixed(3) }];
}

function answerRows(answers: readonly AnswerFigures[]): Row[] {
  const floors = answers.slice(2);
  return answers.slice(0, 2).flatMap((answer) =>
    floors.map((floor) => ({
      what: `${answer.name}, ${answer.bytes} bytes`,
      figure: latency(answer),
      floor: `${floor.name}: ${latency(floor)}`,
      ratio: times(answer.p50Ms / floor.p50Ms),
    })),
  );
}

function eventRows(events: readonly EventFigures[]): Row[] {
  return events.map(({ name, subscribers, sockets, bytes, ms: ours, floorMs }) => ({
    what: `${name}, until ${subscribers} subscribers on ${sockets} sockets have it, ${bytes} bytes each`,
    figure: ms(ours),
    floor: `${ms(floorMs)}, a bare ws server`,
    ratio: times(ours / floorMs),
  }));
}

function memoryRows({ sockets, kibPerSocket, floorKibPerSocket }: MemoryFigures): Row[] {
  const what = `memory for each of ${sockets} sockets that watch`;
  const ratio = times((kibPerSocket ?? Number.NaN) / (floorKibPerSocket ?? Number.NaN));
  return [{ what, figure: kib(kibPerSocket), floor: `${kib(floorKibPerSocket)}, a bare ws server`, ratio }];
}

async function run<Figures>(
  part: string,
  measure: () => Promise<Figures>,
  rowsOf: (figures: Figures) => readonly Row[],
): Promise<Figures | undefined> {
  if (values.only !== undefined && !values.only.split(',').includes(part)) return undefined;
  const figures = await measure();
  for (const { what, figure, floor, ratio } of rowsOf(figures)) tell(`| ${what} | ${figure} | ${floor} | ${ratio} |`);
  return figures;
}

const load = () => loadavg()[0]?.toFixed(1) ?? '?';

try {
  const scale = Object.entries(SCALE).map(([what, count]) => `${count} ${what}`);
  tell(`${scale.join(', ')}; ${cpus().length} processors, load ${load()}\n`);
  const setting = await startSetting(ends);
  tell('| what | platform | floor | platform / floor |\n| --- | --- | --- | --- |');
  // First, as long as the server has no room left over from anything else.
  const memory = await run('memory', () => measureMemory(setting), memoryRows);
  const compiled = await run('compile', () => measureCompile(setting), compileRows);
  const stalls = await run('compile', () => measureStalls(setting), stallRows);
  const answers = await run('answers', () => measureAnswers(setting), answerRows);
  const events = await run('events', () => measureEvents(setting), eventRows);
  await ends.run();
  tell(
    `\nload ${load()} afterwards, sockets that were told to come again: ${Listener.askedAgain}\n${JSON.stringify({ compiled, stalls, answers, events, memory })}`,
  );
} finally {
  await ends.run();
}
