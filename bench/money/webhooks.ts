import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { freePort, startInProcess, startProcess } from '../../tests/kit/arrangements.js';
import { NEW_SECRET } from '../../tests/kit/payments/payments.js';
import type { Json } from '../../tests/kit/platform.js';
import type { Cleanup } from '../cleanup.js';
import { median } from '../statistics.js';
import { comparePayments, createPayers, deliverAll, webhooksFor } from './deliveries.js';

const PAYERS = 130;
const PAGES_EACH = 4;
const WARM_UP = 40;
const ROUNDS = 3;

/** Webhooks per second of the platform and of the baseline: medians of alternating rounds. */
export interface WebhookFigures {
  /** Granted payments per second, with four webhooks each. */
  readonly grantsPerSecond: number;
  readonly webhooksPerSecond: number;
  readonly baselinePerSecond: number;
  /** Platform divided by baseline: above 0, at most about 1. */
  readonly ratio: number;
  readonly grants: number;
  readonly webhooks: number;
  /** Webhooks whose response was not 200. */
  readonly refused: number;
  readonly lost: number;
  readonly doubled: number;
}

/**
 * Measures the platform with 32 concurrent signed webhooks, four for each payment. The baseline is a bare server that
 * checks the same signatures and stores each event once in the same PostgreSQL.
 */
export async function measureWebhooks(cleanup: Cleanup): Promise<WebhookFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const platform = await startInProcess({ DATA_DIR: dataDir });
  cleanup.add(() => platform.stop());
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  cleanup.add(() => postgres.stop());
  const port = await freePort();
  const baseline = await startProcess(['bench/money/baseline.js', postgres.url, `${port}`, NEW_SECRET], {});
  cleanup.add(() => baseline.stop());
  const baselineUrl = `http://127.0.0.1:${port}`;

  const payers = await createPayers(platform.url, PAYERS, PAGES_EACH);
  // The first page of every user, then the second: no user pays twice at about the same time.
  const pages = Array.from({ length: PAGES_EACH }, (_, i) => payers.flatMap((payer) => payer.pages[i] ?? [])).flat();
  const perRound = (pages.length - WARM_UP) / ROUNDS;
  const rounds = [0, ...Array.from({ length: ROUNDS + 1 }, (_, i) => WARM_UP + i * perRound)]
    .map((start, i, starts) => webhooksFor(pages.slice(start, starts[i + 1])))
    .slice(0, ROUNDS + 1);
  const rates = { platform: [] as number[], baseline: [] as number[] };
  let refused = 0;
  for (const [i, webhooks] of rounds.entries()) {
    const [ours, bare] = [await timed(platform.url, webhooks), await timed(baselineUrl, webhooks)];
    refused += ours.refused + bare.refused;
    if (i === 0) continue;
    rates.platform.push(ours.perSecond);
    rates.baseline.push(bare.perSecond);
  }
  const [webhooksPerSecond, baselinePerSecond] = [median(rates.platform), median(rates.baseline)];
  const webhooks = rounds.flat().length;
  return {
    grantsPerSecond: (webhooksPerSecond * pages.length) / webhooks,
    webhooksPerSecond,
    baselinePerSecond,
    ratio: webhooksPerSecond / baselinePerSecond,
    grants: pages.length,
    webhooks,
    refused,
    ...(await comparePayments(platform.url, payers)),
  };
}

async function timed(url: string, webhooks: readonly Json[]): Promise<{ perSecond: number; refused: number }> {
  const startMs = performance.now();
  const unanswered = await deliverAll(url, webhooks);
  return { perSecond: (webhooks.length * 1000) / (performance.now() - startMs), refused: unanswered.length };
}
