import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { forEachInstance } from '../instance/each-instance.js';
import { MAX_UNSETTLED_MS } from '../instance/running.actions.js';
import { SETTLE } from '../instance/transition.actions.js';
import { compareInstance } from '../instance/watch.actions.js';
import type { Tables } from '../../entities.js';
import { ownedRow, type OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { SELECT_BILLING, type BillingRow } from './billing.actions.js';
import { nextSettlementAt, closingStep, nextStep, unsettledSeconds, type BillingStep } from './billing.rules.js';
import { takeStep, type PlannedStep } from './step.actions.js';
import { warnOwner } from './warning.actions.js';

/** Maximum steps of one settlement: a concurrent settlement can repeat the sequence charge, release, refused hold, smaller hold. */
const MAX_STEPS = 12;

/** Settles the cost of a machine when its state changes or its hold ends. */
export const SETTLE_INSTANCE: JobDefinition<InfrastructureRuntime> = {
  name: SETTLE,
  work: (data, runtime) => settleInstance(runtime, ownedRow(data)),
};

/** Settles the cost of all machines every minute. */
export const SETTLE_INSTANCES: JobDefinition<InfrastructureRuntime> = {
  name: 'settle-instances',
  cron: '* * * * *',
  runsAtStart: true,
  work: (_data, runtime) => forEachInstance(runtime, BILLED, (instance) => settleInstance(runtime, instance)),
};

const BILLED = query('vm-billed', (db: Tables, value: { after: number }) =>
  db
    .selectFrom('vmBilling')
    .select(['userId', 'instanceId as id'])
    .where(sql<boolean>`(running_since IS NOT NULL OR is_kept OR hold_state <> 'closed' OR charge_credits IS NOT NULL)`)
    .where('instanceId', '>', value.after)
    .orderBy('instanceId')
    .limit(200),
);

/**
 * Charges the cost of a machine so far and places the next hold. Each step is stored with its own id before accounts is
 * called and confirmed afterwards, so that a repetition charges nothing twice.
 * @throws UNAVAILABLE when accounts does not answer
 */
export async function settleInstance(runtime: InfrastructureRuntime, instance: OwnedRow): Promise<void> {
  await compareAfterOutage(runtime, instance);
  const now = runtime.now();
  const hasStopped = await takeSteps(runtime, { instance, now, plan: nextStep });
  if (hasStopped) return;
  await scheduleSettlement(runtime, instance, now);
  await warnOwner(runtime, instance);
}

/** Compares a machine that nobody settled for long with its host, because it may not have outlived the outage. @throws if the host cannot tell */
export async function compareAfterOutage(runtime: InfrastructureRuntime, instance: OwnedRow): Promise<void> {
  const [billing] = await runtime.database.run(BILLING, instance);
  if (billing && unsettledSeconds(billing, runtime.now()) * 1_000n > MAX_UNSETTLED_MS)
    await compareInstance(runtime, instance);
}

/**
 * Charges what a stopped machine has cost so far and releases its hold, so that a start can hold these credits.
 * @throws UNAVAILABLE
 */
export async function closeHold(runtime: InfrastructureRuntime, { userId, id }: OwnedRow): Promise<void> {
  const now = runtime.now();
  const until = new Date(now.getTime() + START_WINDOW_MS);
  await runtime.database.change((transaction) => transaction.run(CLAIM, { userId, id, until }));
  await takeSteps(runtime, { instance: { userId, id }, now, plan: closingStep });
}

/** How long settlements place no hold after a start begins, in milliseconds. */
const START_WINDOW_MS = 30_000;

const CLAIM = query('claim-start', (db: Tables, { userId, id, until }: OwnedRow & { until: Date }) =>
  db
    .updateTable('vmBilling')
    .set({ startUntil: until })
    .where((row) => row.and({ userId, instanceId: id, isKept: true })),
);

interface Steps {
  readonly instance: OwnedRow;
  readonly now: Date;
  readonly plan: (row: BillingRow, now: Date) => BillingStep;
}

/** @returns whether the machine was stopped because credits ran out, or does not exist */
async function takeSteps(runtime: InfrastructureRuntime, steps: Steps): Promise<boolean> {
  for (let step = 0; step < MAX_STEPS; step++) {
    const planned = await runtime.database.change((transaction) => writeStep(transaction, steps));
    if (!planned) return true;
    if (planned.step.kind === 'nothing') return false;
    if (await takeStep(runtime, planned, steps.now)) return true;
  }
  return false;
}

const BILLING = query(
  'vm-billing',
  (_: Tables, value: OwnedRow) =>
    sql<BillingRow>`${SELECT_BILLING} WHERE b.user_id = ${value.userId} AND b.instance_id = ${value.id}`,
);
const LOCK = query(
  'lock-vm-billing',
  (_: Tables, value: OwnedRow) =>
    sql<BillingRow>`${SELECT_BILLING} WHERE b.user_id = ${value.userId} AND b.instance_id = ${value.id} FOR UPDATE OF b`,
);
const WRITE_CHARGE = query('write-charge', (db: Tables, value: OwnedRow & { credits: string; isLast: boolean }) =>
  db
    .updateTable('vmBilling')
    .set({ chargeCredits: value.credits, chargeIsLast: value.isLast })
    .where('userId', '=', value.userId)
    .where('instanceId', '=', value.id),
);
const WRITE_HOLD = query('write-hold', (db: Tables, value: OwnedRow & { number: number; credits: string }) =>
  db
    .updateTable('vmBilling')
    .set({ holdNumber: value.number, holdCredits: value.credits, holdSpent: '0', holdState: 'requested' })
    .where('userId', '=', value.userId)
    .where('instanceId', '=', value.id),
);

async function writeStep(transaction: Transaction, { instance, now, plan }: Steps): Promise<PlannedStep | undefined> {
  const [row] = await transaction.run(LOCK, instance);
  if (!row) return undefined;
  const step = plan(row, now);
  if (step.kind === 'charge') await transaction.run(WRITE_CHARGE, { ...instance, ...step });
  if (step.kind === 'hold') await transaction.run(WRITE_HOLD, { ...instance, ...step });
  return { row, step };
}

/** Schedules a settlement for the second at which the hold ends. */
async function scheduleSettlement(
  { database, jobs }: InfrastructureRuntime,
  { userId, id }: OwnedRow,
  now: Date,
): Promise<void> {
  await database.change(async (transaction) => {
    const [row] = await transaction.run(LOCK, { userId, id });
    const startAfter = row && nextSettlementAt(row, now);
    if (startAfter) await jobs.enqueue(transaction, SETTLE, { userId, id }, { key: `${id} at its end`, startAfter });
  });
}
