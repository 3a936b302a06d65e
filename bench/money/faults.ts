import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { startInProcess, type RunningPlatform } from '../../tests/kit/arrangements.js';
import type { Cleanup } from '../cleanup.js';
import {
  comparePayments,
  createPayers,
  deliverAll,
  webhooksFor,
  type PaymentResult,
  type Payer,
} from './deliveries.js';

const ROUNDS = 10;
const PAYERS = 40;

/** The result of one round. */
export interface FaultRound extends PaymentResult {
  readonly round: number;
  /** Webhooks that were sent. */
  readonly webhooks: number;
  readonly answeredBeforeKill: number;
  /** Users whose webhook was acknowledged, but whose credits were missing after the restart and before any retry. */
  readonly missing: number;
  /** Webhooks that failed when they were sent again. */
  readonly refused: number;
  /** Whether the ledger is consistent. */
  readonly isConsistent: boolean;
}

/**
 * Runs ten rounds. Each sends many webhooks at once, kills the platform with SIGKILL a little later than the round before,
 * restarts it and sends the unacknowledged webhooks again. Then compares the balance of every user with the payments and
 * proves the ledger.
 */
export async function runFaultRounds(cleanup: Cleanup, print: (round: FaultRound) => void): Promise<FaultRound[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  let platform = await startInProcess({ DATA_DIR: dataDir });
  cleanup.add(() => platform.stop());
  const allPayers: Payer[] = [];
  const rounds: FaultRound[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const payers = await createPayers(platform.url, PAYERS, 1);
    allPayers.push(...payers);
    const webhooks = webhooksFor(payers.flatMap(({ pages }) => pages));
    const killAfter = Math.round((webhooks.length * round) / (ROUNDS + 1));
    const unanswered = await deliverAndKill(platform, { webhooks, killAfter });
    platform = await startInProcess({ DATA_DIR: dataDir });
    const acknowledged = acknowledgedPayers(payers, webhooks, unanswered);
    const { lost: missing } = await comparePayments(platform.url, acknowledged);
    const refused = (await deliverAll(platform.url, unanswered)).length;
    const outcome = {
      round,
      webhooks: webhooks.length,
      answeredBeforeKill: webhooks.length - unanswered.length,
      missing,
      refused,
      ...(await comparePayments(platform.url, allPayers)),
      isConsistent: await isLedgerProved(dataDir),
    };
    print(outcome);
    rounds.push(outcome);
  }
  return rounds;
}

type Webhooks = ReturnType<typeof webhooksFor>;

async function deliverAndKill(
  { url, processes }: RunningPlatform,
  { webhooks, killAfter }: { readonly webhooks: Webhooks; readonly killAfter: number },
): Promise<Webhooks> {
  const children = processes.map(({ child }) => child);
  const dead = Promise.all(children.map((child) => once(child, 'exit')));
  const unanswered = await deliverAll(url, webhooks, (answered) => {
    if (answered === killAfter) for (const child of children) child.kill('SIGKILL');
  });
  await dead;
  return unanswered;
}

/** Returns the payers with at least one acknowledged webhook. Every payer has the same number of webhooks, in the order of the payers. */
function acknowledgedPayers(payers: readonly Payer[], webhooks: Webhooks, unanswered: Webhooks): Payer[] {
  const each = webhooks.length / payers.length;
  const counts = new Map<unknown, number>();
  for (const event of unanswered) counts.set(event, (counts.get(event) ?? 0) + 1);
  return payers.filter((_, i) => {
    const [first, , , other] = webhooks.slice(i * each, (i + 1) * each);
    return (counts.get(first) ?? 0) + (counts.get(other) ?? 0) < each;
  });
}

/** `npm run ledger:prove`. */
async function isLedgerProved(dataDir: string): Promise<boolean> {
  const entry = join(packageRoot(), 'dist/bundle/prove.js');
  const child = spawn(process.execPath, [entry], { env: { DATA_DIR: dataDir }, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
