import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { freePort, startInProcess, startProcess } from '../../tests/kit/arrangements.js';
import { NEW_SECRET } from '../../tests/kit/payments.js';
import type { Json } from '../../tests/kit/platform.js';
import type { Ends } from '../ends.js';
import { median } from '../figures.js';
import { accountFor, makePayers, storm, webhooksOf } from './storm.js';

const PAYERS = 130;
const PAGES_EACH = 4;
const WARM_UP = 40;
const ROUNDS = 3;

/** Webhooks per second of the platform and of the floor in the same run, the median of alternating rounds. */
export interface WebhookFigures {
  /** Payments granted per second: four webhooks each. */
  readonly grantsPerSecond: number;
  readonly webhooksPerSecond: number;
  readonly floorPerSecond: number;
  /** How much of the floor's speed is left: above 0, at most about 1. */
  readonly ratio: number;
  readonly grants: number;
  readonly webhooks: number;
  /** Webhooks that were not answered with 200. */
  readonly refused: number;
  readonly lost: number;
  readonly doubled: number;
}

/**
 * The real platform under 32 signed webhooks at once, of which four tell of one payment, against a bare server that
 * checks the same signatures and keeps each event once in the same PostgreSQL.
 */
export async function measureWebhooks(ends: Ends): Promise<WebhookFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const platform = await startInProcess({ DATA_DIR: dataDir });
  ends.add(() => platform.stop());
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  ends.add(() => postgres.stop());
  const port = await freePort();
  const floor = await startProcess(['bench/money/floor.js', postgres.url, `${port}`, NEW_SECRET], {});
  ends.add(() => floor.stop());
  const floorUrl = `http://127.0.0.1:${port}`;

  const payers = await makePayers(platform.url, PAYERS, PAGES_EACH);
  // The first page of everyone, then the second: no user pays twice at about the same time.
  const pages = Array.from({ length: PAGES_EACH }, (_, i) => payers.flatMap((payer) => payer.pages[i] ?? [])).flat();
  const perRound = (pages.length - WARM_UP) / ROUNDS;
  const rounds = [0, ...Array.from({ length: ROUNDS + 1 }, (_, i) => WARM_UP + i * perRound)]
    .map((start, i, starts) => webhooksOf(pages.slice(start, starts[i + 1])))
    .slice(0, ROUNDS + 1);
  const rates = { platform: [] as number[], floor: [] as number[] };
  let refused = 0;
  for (const [i, webhooks] of rounds.entries()) {
    const [ours, bare] = [await timed(platform.url, webhooks), await timed(floorUrl, webhooks)];
    refused += ours.refused + bare.refused;
    if (i === 0) continue;
    rates.platform.push(ours.perSecond);
    rates.floor.push(bare.perSecond);
  }
  const [webhooksPerSecond, floorPerSecond] = [median(rates.platform), median(rates.floor)];
  const webhooks = rounds.flat().length;
  return {
    grantsPerSecond: (webhooksPerSecond * pages.length) / webhooks,
    webhooksPerSecond,
    floorPerSecond,
    ratio: webhooksPerSecond / floorPerSecond,
    grants: pages.length,
    webhooks,
    refused,
    ...(await accountFor(platform.url, payers)),
  };
}

async function timed(url: string, webhooks: readonly Json[]): Promise<{ perSecond: number; refused: number }> {
  const startMs = performance.now();
  const unanswered = await storm(url, webhooks);
  return { perSecond: (webhooks.length * 1000) / (performance.now() - startMs), refused: unanswered.length };
}
