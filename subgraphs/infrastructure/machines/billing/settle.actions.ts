import type { Transaction } from '../../../../kernel/database/database.js';
import { errorCode } from '../../../../kernel/errors.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { PLACE_HOLD, RELEASE_HOLD, SETTLE_HOLD } from '../../calls.js';
import { inUnits, asDecimal } from '../../credits.rules.js';
import { forEachInstance } from '../instance/each-instance.js';
import { SETTLE } from '../instance/transition.actions.js';
import type { InfrastructureRuntime } from '../../services.js';
import { BILLING_COLUMNS, fundsOf, type BillingRow } from './billing.actions.js';
import {
  affordableHold,
  nextSettlementAt,
  closingStep,
  holdExpiry,
  holdReference,
  nextStep,
  type BillingStep,
} from './billing.rules.js';
import { stopAtZero } from './stop-at-zero.actions.js';
import { warnOwner } from './warning.actions.js';

/** Maximum steps of one settlement; a race may repeat charge, release, refused hold and smaller hold. */
const MAX_STEPS = 12;

/** Settles the cost of a machine when its state changes or its hold ends. */
export const SETTLE_INSTANCE: JobDefinition<InfrastructureRuntime> = {
  name: SETTLE,
  lane: 'slow',
  work: ({ id }, runtime) => settleInstance(runtime, Number(id)),
};

/** Settles the cost of all machines every minute. */
export const SETTLE_INSTANCES: JobDefinition<InfrastructureRuntime> = {
  name: 'settle-instances',
  cron: '* * * * *',
  lane: 'slow',
  runsAtStart: true,
  work: (_data, runtime) => forEachInstance(runtime, BILLED, (id) => settleInstance(runtime, id)),
};

const BILLED = {
  name: 'vm-billed',
  text: `SELECT instance_id AS id FROM infrastructure.vm_billing
          WHERE (running_since IS NOT NULL OR is_kept OR hold_state <> 'closed' OR charge_credits IS NOT NULL) AND instance_id > $1
          ORDER BY instance_id LIMIT 200`,
};

/**
 * Charges the cost of a machine so far and places the next hold. Each step is stored with its own id before accounts is
 * called and confirmed afterwards, so that a repetition charges nothing twice.
 * @throws UNAVAILABLE when accounts does not answer
 */
export async function settleInstance(runtime: InfrastructureRuntime, id: number): Promise<void> {
  const now = runtime.now();
  const hasStopped = await takeSteps(runtime, { id, now, plan: nextStep });
  if (hasStopped) return;
  await scheduleSettlement(runtime, id, now);
  await warnOwner(runtime, id);
}

/**
 * Charges the cost of a machine stopped at a price and releases its hold, so that a start can hold these credits.
 * @throws UNAVAILABLE
 */
export async function closeHold(runtime: InfrastructureRuntime, id: number): Promise<void> {
  const now = runtime.now();
  const until = new Date(now.getTime() + START_MS);
  await runtime.database.change((transaction) => transaction.execute(CLAIM, [id, until]));
  await takeSteps(runtime, { id, now, plan: closingStep });
}

/** Milliseconds for which settlements place no hold while a start is in progress. */
const START_MS = 30_000;

const CLAIM = 'UPDATE infrastructure.vm_billing SET start_until = $2 WHERE instance_id = $1 AND is_kept';

interface Steps {
  readonly id: number;
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

interface Planned {
  readonly row: BillingRow;
  readonly step: BillingStep;
}

const LOCK = `
  SELECT ${BILLING_COLUMNS} FROM infrastructure.vm_billing b JOIN infrastructure.vm_instance i ON i.id = b.instance_id
   WHERE b.instance_id = $1 FOR UPDATE OF b`;
const WRITE_CHARGE = `
  UPDATE infrastructure.vm_billing SET charge_credits = $2, charge_is_last = $3 WHERE instance_id = $1`;
const WRITE_HOLD = `
  UPDATE infrastructure.vm_billing SET hold_number = $2, hold_credits = $3, hold_spent = 0, hold_state = 'wanted'
   WHERE instance_id = $1`;

async function writeStep(transaction: Transaction, { id, now, plan }: Steps): Promise<Planned | undefined> {
  const [row] = await transaction.execute<BillingRow>(LOCK, [id]);
  if (!row) return undefined;
  const step = plan(row, now);
  if (step.kind === 'charge') await transaction.execute(WRITE_CHARGE, [id, step.credits, step.isLast]);
  if (step.kind === 'hold') await transaction.execute(WRITE_HOLD, [id, step.number, step.credits]);
  return { row, step };
}

/** @returns whether the machine was stopped because credits ran out */
function takeStep(runtime: InfrastructureRuntime, { row, step }: Planned, now: Date): Promise<boolean> {
  if (step.kind === 'charge') return charge(runtime, row, step).then(() => false);
  if (step.kind === 'hold') return hold(runtime, { row, step, now });
  return Promise.resolve(false);
}

const CHARGED = `
  UPDATE infrastructure.vm_billing
     SET charged = charged + charge_credits, hold_spent = hold_spent + charge_credits, charge_number = charge_number + 1,
         charge_credits = NULL, hold_state = CASE WHEN charge_is_last THEN 'closed' ELSE hold_state END
   WHERE instance_id = $1 AND charge_number + 1 = $2 AND charge_credits IS NOT NULL`;
/** The hold is closed, so this charge can never succeed. The next hold is charged instead. */
const REFUSED = `
  UPDATE infrastructure.vm_billing SET charge_credits = NULL, charge_number = charge_number + 1, hold_state = 'closed'
   WHERE instance_id = $1 AND charge_number + 1 = $2 AND charge_credits IS NOT NULL`;

async function charge(
  { ask, database }: InfrastructureRuntime,
  { instanceId, uuid, holdNumber }: BillingRow,
  { number, credits, isLast }: Extract<BillingStep, { kind: 'charge' }>,
): Promise<void> {
  const reference = holdReference(uuid, holdNumber);
  const settlement = { reference, settlement: String(number), credits, isLast, reason: 'Running a virtual machine' };
  const asked =
    credits === '0'
      ? ask(RELEASE_HOLD, { reference }, settlementId(reference, number))
      : ask(SETTLE_HOLD, settlement, settlementId(reference, number));
  const outcome = await asked.then(
    () => CHARGED,
    async (error: unknown) => {
      const code = errorCode(error);
      if (code !== 'CONFLICT' && code !== 'NOT_FOUND') throw error;
      // The hold has expired: release the rest now.
      if (code === 'CONFLICT') await ask(RELEASE_HOLD, { reference }, settlementId(reference, number));
      return REFUSED;
    },
  );
  await database.change((transaction) => transaction.execute(outcome, [instanceId, number]));
}

function settlementId(reference: string, number: number): string {
  return `vm ${reference} ${number}`;
}

interface HoldStep {
  readonly row: BillingRow;
  readonly step: Extract<BillingStep, { kind: 'hold' }>;
  readonly now: Date;
}

/** Starts counting the seconds of a machine stopped at a price again. */
const PLACED = `
  UPDATE infrastructure.vm_billing
     SET hold_state = 'open', stopped_since = CASE WHEN is_kept THEN coalesce(stopped_since, $3::timestamptz) END,
         emptied_at = CASE WHEN is_kept THEN NULL ELSE emptied_at END
   WHERE instance_id = $1 AND hold_number = $2 AND hold_state = 'wanted' RETURNING instance_id`;
const KNOWN = `
  SELECT 1 FROM infrastructure.vm_billing WHERE instance_id = $1 AND hold_number = $2 AND hold_state = 'open'`;
const NOT_PLACED = `
  UPDATE infrastructure.vm_billing SET hold_state = 'closed'
   WHERE instance_id = $1 AND hold_number = $2 AND hold_state = 'wanted'`;

async function hold(runtime: InfrastructureRuntime, { row, step, now }: HoldStep): Promise<boolean> {
  const { ask, database } = runtime;
  const reference = holdReference(row.uuid, step.number);
  const fields = { userId: row.userId, reference, credits: step.credits, reason: 'Running a virtual machine' };
  const requestId = settlementId(reference, 0);
  const expiresAt = holdExpiry(now).toISOString();
  const placed = await ask(PLACE_HOLD, { ...fields, expiresAt }, requestId).then(
    ({ state }) => state,
    (error: unknown) => {
      const code = errorCode(error);
      // An interrupted start may have used this number for its own hold.
      if (code === 'PAYMENT_REQUIRED' || code === 'CONFLICT') return code;
      throw error;
    },
  );
  if (placed === 'PAYMENT_REQUIRED') return holdLess(runtime, { row, step, now });
  const isKept = await database.change(async (transaction) => {
    if (placed !== 'open') await transaction.execute(NOT_PLACED, [row.instanceId, step.number]);
    const kept = await transaction.execute(PLACED, [row.instanceId, step.number, now]);
    return kept.length > 0 || (await transaction.execute(KNOWN, [row.instanceId, step.number])).length > 0;
  });
  // A concurrent settlement was refused this hold and has continued without it.
  if (!isKept) await ask(RELEASE_HOLD, { reference }, requestId);
  return false;
}

const SMALLER = `
  UPDATE infrastructure.vm_billing SET hold_number = hold_number + 1, hold_credits = $3
   WHERE instance_id = $1 AND hold_number = $2 AND hold_state = 'wanted'`;

/** Places a smaller hold from the free credits. Stops the machine when they do not pay for one second. */
async function holdLess(runtime: InfrastructureRuntime, { row, step, now }: HoldStep): Promise<boolean> {
  const { balance, held } = await fundsOf(runtime, row.userId, 'vm settlement');
  const left = inUnits(balance) - inUnits(held);
  const credits =
    left > 0n ? affordableHold(row, { wanted: step.credits, available: asDecimal(left) }, now) : undefined;
  if (credits === undefined) return stopAtZero(runtime, row.instanceId, { holdNumber: step.number, now });
  await runtime.database.change((transaction) => transaction.execute(SMALLER, [row.instanceId, step.number, credits]));
  return false;
}

/** Schedules a settlement for the second at which the hold ends. */
async function scheduleSettlement({ database, jobs }: InfrastructureRuntime, id: number, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    const [row] = await transaction.execute<BillingRow>(LOCK, [id]);
    const startAfter = row && nextSettlementAt(row, now);
    if (startAfter) await jobs.enqueue(transaction, SETTLE, { id }, { key: `${id} at its end`, startAfter });
  });
}
