import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import { errorCode } from '../../../../kernel/errors.js';
import { PLACE_HOLD, RELEASE_HOLD, SETTLE_HOLD } from '../../calls.js';
import { inUnits, asDecimal } from '../../credits.rules.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { fundsOf, type BillingRow } from './billing.actions.js';
import { affordableHold, holdExpiry, holdReference, type BillingStep } from './billing.rules.js';
import { stopAtZero } from './stop-at-zero.actions.js';

/** A step that is stored and not yet confirmed. */
export interface PlannedStep {
  readonly row: BillingRow;
  readonly step: BillingStep;
}

/** Takes a step in accounts, and confirms it here. @returns whether the machine was stopped because credits ran out */
export function takeStep(runtime: InfrastructureRuntime, { row, step }: PlannedStep, now: Date): Promise<boolean> {
  if (step.kind === 'charge') return charge(runtime, row, step).then(() => false);
  if (step.kind === 'hold') return hold(runtime, { row, step, now });
  return Promise.resolve(false);
}

/** A charge or a hold of a machine. */
interface StepKey extends OwnedRow {
  readonly number: number;
}

const CHARGED = query(
  'vm-charged',
  (_: Tables, value: StepKey) => sql<object>`
  UPDATE infrastructure.vm_billing
     SET charged = charged + charge_credits, hold_spent = hold_spent + charge_credits, charge_number = charge_number + 1,
         charge_credits = NULL, hold_state = CASE WHEN charge_is_last THEN 'closed' ELSE hold_state END
   WHERE user_id = ${value.userId} AND instance_id = ${value.id} AND charge_number + 1 = ${value.number} AND charge_credits IS NOT NULL`,
);
/** The hold is closed, so this charge can never succeed. The next hold is charged instead. */
const REFUSED = query(
  'vm-charge-refused',
  (_: Tables, value: StepKey) => sql<object>`
  UPDATE infrastructure.vm_billing SET charge_credits = NULL, charge_number = charge_number + 1, hold_state = 'closed'
   WHERE user_id = ${value.userId} AND instance_id = ${value.id} AND charge_number + 1 = ${value.number} AND charge_credits IS NOT NULL`,
);

async function charge(
  { callSubgraph, database }: InfrastructureRuntime,
  { userId, instanceId, uuid, holdNumber }: BillingRow,
  { number, credits, isLast }: Extract<BillingStep, { kind: 'charge' }>,
): Promise<void> {
  const reference = holdReference(uuid, holdNumber);
  const settlement = { reference, settlement: String(number), credits, isLast, reason: 'Running a virtual machine' };
  const call =
    credits === '0'
      ? callSubgraph(RELEASE_HOLD, { reference }, settlementId(reference, number))
      : callSubgraph(SETTLE_HOLD, settlement, settlementId(reference, number));
  const outcome = await call.then(
    () => CHARGED,
    async (error: unknown) => {
      const code = errorCode(error);
      if (code !== 'CONFLICT' && code !== 'NOT_FOUND') throw error;
      // The hold has expired: release the rest now.
      if (code === 'CONFLICT') await callSubgraph(RELEASE_HOLD, { reference }, settlementId(reference, number));
      return REFUSED;
    },
  );
  await database.change((transaction) => transaction.run(outcome, { userId, id: instanceId, number }));
}

function settlementId(reference: string, number: number): string {
  return `vm ${reference} ${number}`;
}

interface HoldStep {
  readonly row: BillingRow;
  readonly step: Extract<BillingStep, { kind: 'hold' }>;
  readonly now: Date;
}

/** Restarts the count of seconds of a stopped machine that is charged. */
const PLACED = query(
  'vm-hold-placed',
  (_: Tables, value: StepKey & { now: Date }) => sql<object>`
  UPDATE infrastructure.vm_billing
     SET hold_state = 'open', stopped_since = CASE WHEN is_kept THEN coalesce(stopped_since, ${value.now}::timestamptz) END,
         emptied_at = CASE WHEN is_kept THEN NULL ELSE emptied_at END
   WHERE user_id = ${value.userId} AND instance_id = ${value.id} AND hold_number = ${value.number} AND hold_state = 'requested' RETURNING instance_id`,
);
const KNOWN = query('vm-hold-known', (db: Tables, { userId, id, number }: StepKey) =>
  db.selectFrom('vmBilling').where((row) => row.and({ userId, instanceId: id, holdNumber: number, holdState: 'open' })),
);
const NOT_PLACED = query('vm-hold-not-placed', (db: Tables, { userId, id, number }: StepKey) =>
  db
    .updateTable('vmBilling')
    .set({ holdState: 'closed' })
    .where((row) => row.and({ userId, instanceId: id, holdNumber: number, holdState: 'requested' })),
);

async function hold(runtime: InfrastructureRuntime, { row, step, now }: HoldStep): Promise<boolean> {
  const { callSubgraph, database } = runtime;
  const { instanceId: id, uuid, userId } = row;
  const reference = holdReference(uuid, step.number);
  const fields = { userId, reference, credits: step.credits, reason: 'Running a virtual machine' };
  const requestId = settlementId(reference, 0);
  const expiresAt = holdExpiry(now).toISOString();
  const placed = await callSubgraph(PLACE_HOLD, { ...fields, expiresAt }, requestId).then(
    ({ state }) => state,
    (error: unknown) => {
      const code = errorCode(error);
      // An interrupted start may have used this number for its own hold.
      if (code === 'PAYMENT_REQUIRED' || code === 'CONFLICT') return code;
      throw error;
    },
  );
  if (placed === 'PAYMENT_REQUIRED') return placeSmallerHold(runtime, { row, step, now });
  const isKept = await database.change(async (transaction) => {
    const { number } = step;
    if (placed !== 'open') await transaction.run(NOT_PLACED, { userId, id, number });
    const kept = await transaction.run(PLACED, { userId, id, number, now });
    return kept.length > 0 || (await transaction.run(KNOWN, { userId, id, number })).length > 0;
  });
  // A concurrent settlement was refused this hold and has continued without it.
  if (!isKept) await callSubgraph(RELEASE_HOLD, { reference }, requestId);
  return false;
}

const REDUCE_HOLD = query(
  'vm-hold-smaller',
  (db: Tables, { userId, id, number, credits }: StepKey & { credits: string }) =>
    db
      .updateTable('vmBilling')
      .set((row) => ({ holdNumber: row('holdNumber', '+', 1), holdCredits: credits }))
      .where((row) => row.and({ userId, instanceId: id, holdNumber: number, holdState: 'requested' })),
);

/** Places a smaller hold from the free credits. Stops the machine when they do not pay for one second. */
async function placeSmallerHold(runtime: InfrastructureRuntime, { row, step, now }: HoldStep): Promise<boolean> {
  const { balance, held } = await fundsOf(runtime, row.userId, 'vm settlement');
  const left = inUnits(balance) - inUnits(held);
  const credits =
    left > 0n ? affordableHold(row, { requested: step.credits, available: asDecimal(left) }, now) : undefined;
  if (credits === undefined) return stopAtZero(runtime, row, { holdNumber: step.number, now });
  const smaller = { userId: row.userId, id: row.instanceId, number: step.number, credits };
  await runtime.database.change((transaction) => transaction.run(REDUCE_HOLD, smaller));
  return false;
}
