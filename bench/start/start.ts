import { setTimeout as delay } from 'node:timers/promises';
import { startInProcess, type RunningPlatform } from '../../tests/kit/arrangements.js';
import type { Cleanup } from '../cleanup.js';
import { temporaryFolder } from '../environment.js';
import { cpuMs, postgresPid, residentKib } from '../processes.js';
import type { Row } from '../report.js';
import type { Scale } from '../scale.js';
import { median } from '../statistics.js';

/** Measures warm starts: the database exists and the code is compiled. Then memory and CPU without requests. */
export async function measureStart(cleanup: Cleanup, { starts: count, settleMs, idleMs }: Scale): Promise<Row[]> {
  const dataDir = await temporaryFolder(cleanup);
  await (await startInProcess({ DATA_DIR: dataDir })).stop();
  const starts = [];
  for (let round = 0; round < count; round++) {
    const { running, ...figures } = await start(dataDir);
    starts.push(figures);
    await running.stop();
  }
  const { running } = await start(dataDir);
  cleanup.add(() => running.stop());
  const [node, postgres] = [pidOf(running), postgresPid(dataDir)];
  await delay(settleMs);
  const before = { node: cpuMs([node]) ?? Number.NaN, postgres: cpuMs([postgres]) ?? Number.NaN };
  await delay(idleMs);
  const shareOf = (pid: number, startMs: number) => (((cpuMs([pid]) ?? Number.NaN) - startMs) / idleMs) * 100;
  const wall = median(starts.map(({ wallMs }) => wallMs));
  const cpu = median(starts.map((each) => each.cpuMs));
  return [
    { work: 'warm start', peer: '–', unit: 'wall ms', ours: wall },
    { work: 'warm start', peer: '–', unit: 'CPU ms', ours: cpu, goal: '1300' },
    { work: 'memory when idle', peer: '–', unit: 'MiB', ours: (residentKib(node) ?? Number.NaN) / 1024, goal: '200' },
    { work: 'CPU when idle', peer: '–', unit: '% of a core', ours: shareOf(node, before.node), goal: '1' },
    {
      work: 'PostgreSQL when idle',
      peer: '–',
      unit: '% of a core',
      ours: shareOf(postgres, before.postgres),
      goal: '1',
    },
  ];
}

async function start(dataDir: string) {
  const startMs = performance.now();
  const running = await startInProcess({ DATA_DIR: dataDir });
  const wallMs = performance.now() - startMs;
  return { running, wallMs, cpuMs: cpuMs([pidOf(running)]) ?? Number.NaN };
}

function pidOf({ processes }: RunningPlatform): number {
  return processes[0]?.child.pid ?? 0;
}
