import type { Page } from 'playwright-core';
import { BrowserWindow, CHROMIUM, startMeter } from '../../tests/kit/browser/chromium.js';
import { arranged, circle, drag, LARGE_DRAWING, SHOWN_BOXES } from '../../tests/kit/network/large-network.js';
import { call } from '../../tests/kit/platform.js';
import { COUNT_REACT_WORK, reactWorkOf } from '../../tests/kit/browser/react-work.js';
import { newOwners, type Environment, type Owner } from '../environment.js';
import { fillNetwork } from '../network/dataset.js';
import type { Row } from '../report.js';
import { median } from '../statistics.js';

/** Movements of the pointer in a round. */
const MOVEMENTS = 120;

/** Milliseconds of a frame at 60 Hz, with the rounding of Chromium's clock. */
const FRAME_MS = 16.7 + 0.1;

/** Runs before the page: tells when the first frame with the boxes was shown, in milliseconds since the navigation began. */
const PICTURE = `window.pictureMs = new Promise((resolve) => {
  const look = () => {
    const boxes = [...document.querySelectorAll('.react-flow__node')];
    const isShown = boxes.filter((box) => getComputedStyle(box).visibility === 'visible').length > ${SHOWN_BOXES};
    requestAnimationFrame(isShown ? () => resolve(performance.now()) : look);
  };
  look();
});`;

/** Begins to note the milliseconds between frames. */
const BEGIN_FRAMES = `window.frames_ = []; (() => {
  let last;
  const step = (now) => {
    if (last !== undefined) window.frames_?.push(now - last);
    last = now;
    if (window.frames_) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})()`;

const END_FRAMES = `(() => { const frames = window.frames_; window.frames_ = undefined; return frames; })()`;

interface Bench {
  readonly window: BrowserWindow;
  readonly url: string;
  readonly owner: Owner;
  readonly rounds: number;
}

/** Measures the network page of 2,000 peers in 24 groups in Chromium. */
export async function measureDashboard({ platform, databaseUrl, scale }: Environment): Promise<Row[]> {
  const [owner] = await newOwners(platform.url, 1);
  if (!owner || CHROMIUM === undefined) throw new Error('chromium is not installed');
  await fillNetwork(databaseUrl, owner.tenantId, LARGE_DRAWING);
  const window = new BrowserWindow(CHROMIUM);
  await window.open();
  const bench = { window, url: platform.url, owner, rounds: scale.rounds };
  try {
    return [...(await measurePictures(bench)), ...(await measureChanges(bench)), ...(await measureDrags(bench))];
  } finally {
    await window.close();
  }
}

/** Opens the page with an empty cache. */
async function open({ window, url, owner }: Bench, script: string): Promise<Page> {
  const { page } = await window.tab('/network', { token: owner.token, url, script });
  return page;
}

async function measurePictures(bench: Bench): Promise<Row[]> {
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const page = await open(bench, PICTURE);
    times.push(await page.evaluate<number>('window.pictureMs'));
    await page.context().close();
  }
  return [rowOf('network page, until the first frame with the boxes', 'wall ms', median(times), '2000')];
}

async function measureChanges(bench: Bench): Promise<Row[]> {
  const { url, owner, rounds } = bench;
  const page = await open(bench, COUNT_REACT_WORK);
  await arranged(page);
  const seconds = await startMeter(page);
  const costs: number[] = [];
  const components: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const label = `added-${round}`;
    const before = await seconds();
    const work = await reactWorkOf(page, async () => {
      await call('POST /api/network/groups/', { token: owner.token, url, body: { label } });
      await page.getByText(label, { exact: true }).waitFor();
    });
    costs.push(((await seconds()) - before) * 1_000);
    components.push(work.components);
  }
  await page.context().close();
  return [
    rowOf('network page, a new group', 'CPU ms of the main thread', median(costs), '100'),
    rowOf('network page, a new group', 'components run', median(components)),
  ];
}

/** Figures of one movement of the pointer. */
interface Movement {
  /** Share of frames, in percent. */
  readonly late: number;
  readonly cpuMs: number;
  readonly components: number;
}

/** Drags beside a pointer that moves the same way over the same page. */
async function measureDrags(bench: Bench): Promise<Row[]> {
  const page = await open(bench, COUNT_REACT_WORK);
  await arranged(page);
  const seconds = await startMeter(page);
  const measure = async (act: () => Promise<void>): Promise<Movement> => {
    const before = await seconds();
    await page.evaluate(BEGIN_FRAMES);
    const { components } = await reactWorkOf(page, act);
    const frames = await page.evaluate<number[]>(END_FRAMES);
    const late = frames.filter((ms) => ms > FRAME_MS).length;
    const cpuMs = ((await seconds()) - before) * 1_000;
    return { late: (late / frames.length) * 100, cpuMs: cpuMs / MOVEMENTS, components: components / MOVEMENTS };
  };
  const dragged: Movement[] = [];
  const alone: Movement[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    dragged.push(await measure(() => drag(page, MOVEMENTS)));
    alone.push(await measure(() => circle(page, { x: 640, y: 20 }, MOVEMENTS)));
  }
  await page.context().close();
  const rows = [
    ['late', '% of frames over 16.7 ms'],
    ['cpuMs', 'CPU ms of the main thread'],
    ['components', 'components run'],
  ] as const;
  return rows.map(([key, unit]) => ({
    ...rowOf('network page, one movement of a drag', unit, median(dragged.map((each) => each[key]))),
    peer: 'the pointer alone',
    theirs: median(alone.map((each) => each[key])),
  }));
}

function rowOf(work: string, unit: string, ours: number, goal?: string): Row {
  return { work, peer: '–', unit, ours, ...(goal !== undefined && { goal }) };
}
