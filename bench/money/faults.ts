import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { startInProcess, type RunningPlatform } from '../../tests/kit/arrangements.js';
import type { Ends } from '../ends.js';
import { accountFor, makePayers, storm, webhooksOf, type Accounting, type Payer } from './storm.js';

const ROUNDS = 10;
const PAYERS = 40;

/** What one round did and left behind. */
export interface FaultRound extends Accounting {
  readonly round: number;
  /** Webhooks of the storm. */
  readonly webhooks: number;
  readonly answeredBeforeKill: number;
  /** Users with an answered webhook whose credits were not there after the restart, before anything was sent again. */
  readonly forgotten: number;
  /** Webhooks refused when they were sent again. */
  readonly refused: number;
  /** Whether the ledger adds up. */
  readonly holds: boolean;
}

/**
 * Ten times: a storm of webhooks, the platform killed with SIGKILL in the middle of it, a little later every time,
 * started again, and what was not answered sent again. Then the balance of every user of all rounds is compared with
 * what was paid, and the ledger is proved.
 */
export async function runFaultRounds(ends: Ends, tell: (round: FaultRound) => void): Promise<FaultRound[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  let platform = await startInProcess({ DATA_DIR: dataDir });
  ends.add(() => platform.stop());
  const everyone: Payer[] = [];
  const rounds: FaultRound[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const payers = await makePayers(platform.url, PAYERS, 1);
    everyone.push(...payers);
    const webhooks = webhooksOf(payers.flatMap(({ pages }) => pages));
    const killAt = Math.round((webhooks.length * round) / (ROUNDS + 1));
    const unanswered = await stormAndKill(platform, { webhooks, killAt });
    platform = await startInProcess({ DATA_DIR: dataDir });
    const told = payersToldOf(payers, webhooks, unanswered);
    const { lost: forgotten } = await accountFor(platform.url, told);
    const refused = (await storm(platform.url, unanswered)).length;
    const outcome = {
      round,
      webhooks: webhooks.length,
      answeredBeforeKill: webhooks.length - unanswered.length,
      forgotten,
      refused,
      ...(await accountFor(platform.url, everyone)),
      holds: await proves(dataDir),
    };
    tell(outcome);
    rounds.push(outcome);
  }
  return rounds;
}

type Webhooks = ReturnType<typeof webhooksOf>;

async function stormAndKill(
  { url, processes }: RunningPlatform,
  { webhooks, killAt }: { readonly webhooks: Webhooks; readonly killAt: number },
): Promise<Webhooks> {
  const children = processes.map(({ child }) => child);
  const dead = Promise.all(children.map((child) => once(child, 'exit')));
  const unanswered = await storm(url, webhooks, (answered) => {
    if (answered === killAt) for (const child of children) child.kill('SIGKILL');
  });
  await dead;
  return unanswered;
}

/** Those of whose payment some webhook was answered. Every payer has the same number of webhooks, in the payers' order. */
function payersToldOf(payers: readonly Payer[], webhooks: Webhooks, unanswered: Webhooks): Payer[] {
  const each = webhooks.length / payers.length;
  const counts = new Map<unknown, number>();
  for (const event of unanswered) counts.set(event, (counts.get(event) ?? 0) + 1);
  return payers.filter((_, i) => {
    const [first, , , other] = webhooks.slice(i * each, (i + 1) * each);
    return (counts.get(first) ?? 0) + (counts.get(other) ?? 0) < each;
  });
}

/** `npm run ledger:prove`. */
async function proves(dataDir: string): Promise<boolean> {
  const entry = join(packageRoot(), 'dist/subgraphs/accounts/ledger/proof/prove.js');
  const child = spawn(process.execPath, [entry], { env: { DATA_DIR: dataDir }, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
