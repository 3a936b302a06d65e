import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openPostgresEvents } from '../../kernel/events/postgres-events.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { Ends } from '../ends.js';
import { runFaultRounds, type FaultRound } from './faults.js';
import { measureLedger, type Measured } from './ledger.js';
import { measureWebhooks } from './webhooks.js';

/**
 * `npm run bench:money`: the ledger, webhooks, and ten rounds of kill -9, each on an embedded PostgreSQL of its own; the
 * last line is the outcome as JSON. Exits 1 where a credit was lost or doubled, or the ledger does not hold.
 */
const ends = new Ends();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void ends.run().finally(() => process.exit(1)));

async function benchLedger(): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  ends.add(() => postgres.stop());
  const log = openLog('warn', 'bench');
  const events = await openPostgresEvents(postgres.url, 'accounts', log);
  ends.add(() => events.close());
  const database = await openDatabase({ url: postgres.url, schema: 'accounts', log, events });
  ends.add(() => database.close());
  return measureLedger(database);
}

const COLUMNS = ['round', 'webhooks', 'answered before the kill', 'grants lost', 'doubled', 'proof'];

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function tellRound({ round, webhooks, answeredBeforeKill, lost, forgotten, doubled, holds }: FaultRound): void {
  const cells = [round, webhooks, answeredBeforeKill, lost + forgotten, doubled, holds ? 'holds' : 'DOES NOT HOLD'];
  tell(cells.map((cell, i) => String(cell).padStart(COLUMNS[i]?.length ?? 0)).join('  '));
}

try {
  const ledger = await benchLedger();
  await ends.run();
  tell(
    `ledger: ${Math.round(ledger.ledgerPerSecond)} grants/s, floor: ${Math.round(ledger.floorPerSecond)} changes/s, ` +
      `ratio ${ledger.ratio.toFixed(2)}, the ledger ${ledger.holds ? 'holds' : 'does not hold'}`,
  );
  const webhooks = await measureWebhooks(ends);
  await ends.run();
  tell(
    `webhooks: ${Math.round(webhooks.grantsPerSecond)} grants/s by ${Math.round(webhooks.webhooksPerSecond)} webhooks/s, ` +
      `floor: ${Math.round(webhooks.floorPerSecond)} webhooks/s, ratio ${webhooks.ratio.toFixed(2)}, ` +
      `${webhooks.refused} refused, of ${webhooks.grants} grants ${webhooks.lost} lost, ${webhooks.doubled} doubled`,
  );
  tell(COLUMNS.join('  '));
  const faults = await runFaultRounds(ends, tellRound);
  const areExact = [webhooks, ...faults].every(({ lost, doubled, refused }) => lost + doubled + refused === 0);
  const hold = ledger.holds && faults.every(({ holds, forgotten }) => holds && forgotten === 0);
  await ends.run();
  tell(JSON.stringify({ ledger, webhooks, faults }));
  process.exitCode = areExact && hold ? 0 : 1;
} finally {
  await ends.run();
}
