import 'reflect-metadata';
import { cpus, loadavg } from 'node:os';
import { Ends } from '../ends.js';
import type { Timed } from '../timing.js';
import { measureAnswers, type AnswerFigures } from './answers.js';
import { SCALE } from './dataset.js';
import { startSetting } from './setting.js';

/**
 * `npm run bench:infrastructure`: lists and searches of 100,000 versions of models and of 100,000 machines over REST, each
 * against a bare server with the same bytes and, for searches, against the naive query, in one run, as a table in Markdown; the
 * last line is the outcome as JSON.
 */
const ends = new Ends();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void ends.run().finally(() => process.exit(1)));

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}

const latency = ({ p50Ms, p99Ms }: Timed) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;

function tellAnswer({ name, matches, bytes, ours, bare, naive }: AnswerFigures): void {
  const floor = `${latency(bare)} (${(ours.p50Ms / bare.p50Ms).toFixed(1)} times)`;
  const peer = naive === undefined ? '–' : `${latency(naive)} (${(naive.p50Ms / ours.p50Ms).toFixed(1)} times ours)`;
  tell(`| ${name} | ${matches ?? '–'} | ${bytes} | ${latency(ours)} | ${floor} | ${peer} |`);
}

const load = () => loadavg()[0]?.toFixed(1) ?? '?';

try {
  const scale = Object.entries(SCALE).map(([what, count]) => `${what} ${count}`);
  tell(`${scale.join(', ')}; ${cpus().length} processors, load ${load()}\n`);
  const setting = await startSetting(ends);
  tell('| p50 / p99 in ms | matches | bytes | platform | bare node:http | naive query alone |');
  tell('| --- | --- | --- | --- | --- | --- |');
  const answers = await measureAnswers(setting, tellAnswer);
  tell(`\nload ${load()} afterwards\n${JSON.stringify({ answers })}`);
} finally {
  await ends.run();
}
