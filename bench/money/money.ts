import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openPostgresEvents } from '../../kernel/events/postgres-events.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { Cleanup } from '../cleanup.js';
import { runFaultRounds, type FaultRound } from './faults.js';
import { measureLedger, type LedgerFigures } from './ledger.js';
import { measureWebhooks } from './webhooks.js';

/**
 * `npm run bench:money`: measures the ledger, webhooks, and ten rounds of kill -9, each on its own embedded PostgreSQL. The
 * last line is the result as JSON. Exits 1 when a credit was lost or doubled, a webhook was
 * refused, or the ledger is inconsistent.
 */
const cleanup = new Cleanup();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));

async function benchLedger(): Promise<LedgerFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  cleanup.add(() => postgres.stop());
  const log = openLog('warn', 'bench');
  const events = await openPostgresEvents(postgres.url, 'accounts', log);
  cleanup.add(() => events.close());
  const database = await openDatabase({ url: postgres.url, schema: 'accounts', log, events });
  cleanup.add(() => database.close());
  return measureLedger(database);
}

const COLUMNS = ['round', 'webhooks', 'answered before the kill', 'grants lost', 'doubled', 'proof'];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printRound({ round, webhooks, answeredBeforeKill, lost, missing, doubled, isConsistent }: FaultRound): void {
  const proof = isConsistent ? 'consistent' : 'INCONSISTENT';
  const cells = [round, webhooks, answeredBeforeKill, lost + missing, doubled, proof];
  print(cells.map((cell, i) => String(cell).padStart(COLUMNS[i]?.length ?? 0)).join('  '));
}

try {
  const ledger = await benchLedger();
  await cleanup.run();
  print(
    `ledger: ${Math.round(ledger.ledgerPerSecond)} grants/s, baseline: ${Math.round(ledger.baselinePerSecond)} changes/s, ` +
      `ratio ${ledger.ratio.toFixed(2)}, the ledger is ${ledger.isConsistent ? 'consistent' : 'inconsistent'}`,
  );
  const webhooks = await measureWebhooks(cleanup);
  await cleanup.run();
  print(
    `webhooks: ${Math.round(webhooks.grantsPerSecond)} grants/s by ${Math.round(webhooks.webhooksPerSecond)} webhooks/s, ` +
      `baseline: ${Math.round(webhooks.baselinePerSecond)} webhooks/s, ratio ${webhooks.ratio.toFixed(2)}, ` +
      `${webhooks.refused} refused; ${webhooks.grants} grants: ${webhooks.lost} lost, ${webhooks.doubled} doubled`,
  );
  print(COLUMNS.join('  '));
  const faults = await runFaultRounds(cleanup, printRound);
  const isExact = [webhooks, ...faults].every(({ lost, doubled, refused }) => lost + doubled + refused === 0);
  const isConsistent = ledger.isConsistent && faults.every((round) => round.isConsistent && round.missing === 0);
  await cleanup.run();
  print(JSON.stringify({ ledger, webhooks, faults }));
  process.exitCode = isExact && isConsistent ? 0 : 1;
} finally {
  await cleanup.run();
}
