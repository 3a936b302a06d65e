import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, errorCode, paymentRequired, unavailable } from '../../../../kernel/errors.js';
import { PLACE_HOLD, RELEASE_HOLD } from '../../calls.js';
import { holdExpiry, holdReference } from '../billing/billing.rules.js';
import { closeHold, compareAfterOutage } from '../billing/settle.actions.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureContext } from '../../services.js';
import { readInstance } from '../instance/instance.actions.js';
import type { VmInstance } from '../instance/instance.js';
import { COMMANDS, type Command } from '../instance/instance.rules.js';
import { transitionInstance } from '../instance/transition.actions.js';

/**
 * Runs a command of the owner. Terminating a terminated machine has no effect.
 * @throws NOT_FOUND, CONFLICT in a state that does not allow it, PAYMENT_REQUIRED when credits do not cover an hour
 */
export async function commandInstance(
  context: InfrastructureContext,
  { userId, id, command }: { readonly userId: number; readonly id: string; readonly command: Command },
): Promise<VmInstance> {
  const known = await readInstance(context.database, userId, id);
  // A host that cannot tell stops the clock, not the command.
  await compareAfterOutage(context, known).catch((error: unknown) =>
    context.log.warn({ err: error, machine: known.uuid }, 'a machine was not compared with its host'),
  );
  const instance = await readInstance(context.database, userId, id);
  if (command !== 'terminate') await turn(context, instance, command);
  else if (instance.status !== 'terminated' && instance.status !== 'terminating')
    await applyCommand(context, instance, command);
  return readInstance(context.database, userId, instance.id);
}

type Turn = Exclude<Command, 'terminate'>;

async function turn(context: InfrastructureContext, instance: VmInstance, command: Turn): Promise<void> {
  if (instance.status !== COMMANDS[command].from) throw wrongState(command);
  const isMoved = await (command === 'start' ? start(context, instance) : applyCommand(context, instance, command));
  if (!isMoved) throw wrongState(command);
}

/** Maximum attempts to start while settlements place other holds. */
const MAX_ATTEMPTS = 5;

async function start(context: InfrastructureContext, instance: VmInstance): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const hold = await holdForStart(context, instance);
    const isMoved = await applyCommand(context, instance, 'start', hold).catch((error: unknown) => {
      if (error instanceof HoldReplaced) return undefined;
      throw error;
    });
    if (hold) await releaseUnused(context, instance, hold);
    if (isMoved !== undefined) return isMoved;
  }
  throw unavailable('Charges for this virtual machine are being settled; try again in a moment.', { retryAfter: 1 });
}

/** Thrown when a settlement placed another hold meanwhile, which may not cover an hour of running. */
class HoldReplaced extends Error {}

/** @returns whether it was in a state that allows it */
function applyCommand(
  { database, jobs, now }: InfrastructureContext,
  { userId, id }: VmInstance,
  command: Command,
  hold?: HoldForStart,
): Promise<boolean> {
  const { via: to, desired, ...rule } = COMMANDS[command];
  return database.change(async (transaction) => {
    if (!(await transitionInstance(transaction, jobs, { userId, id, to, desired, ...rule }, now()))) return false;
    if (!hold) return true;
    const covered = await transaction.run(COVER, { userId, id, ...hold, now: now() });
    if (covered.length === 0) throw new HoldReplaced('it is covered by another hold');
    return true;
  });
}

function wrongState(command: Turn): Error {
  return conflict(`A virtual machine must be ${COMMANDS[command].from} to ${command}, and this one is not.`);
}

const BILLING_OF_STOPPED = query('vm-billing-of-stopped', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('vmBilling')
    .select(['holdNumber', 'holdState'])
    .select(sql<boolean>`is_kept AND NOT should_run`.as('isKept'))
    .select(sql<string>`trim_scale(credits_per_hour)::text`.as('creditsPerHour'))
    .where('userId', '=', value.userId)
    .where('instanceId', '=', value.id),
);

const COVER = query(
  'cover-vm',
  (_: Tables, value: HoldForStart & OwnedRow & { now: Date }) => sql<object>`
  UPDATE infrastructure.vm_billing
     SET hold_number = ${value.number}, hold_credits = ${value.credits}, hold_spent = 0, hold_state = 'open', emptied_at = NULL,
         stopped_since = CASE WHEN is_kept THEN coalesce(stopped_since, ${value.now}::timestamptz) END
   WHERE user_id = ${value.userId} AND instance_id = ${value.id} AND hold_state = 'closed' AND hold_number < ${value.number} RETURNING instance_id`,
);

interface HoldForStart {
  readonly number: number;
  /** Exact decimal. */
  readonly credits: string;
}

/** Holds credits for one hour. @returns undefined when a hold already exists @throws PAYMENT_REQUIRED */
async function holdForStart(
  context: InfrastructureContext,
  { userId, id, uuid }: VmInstance,
): Promise<HoldForStart | undefined> {
  const { database, callSubgraph, now, requestId } = context;
  const instance = { userId, id };
  if ((await stoppedBilling(database, instance)).isKept) await closeHold(context, instance);
  const { isKept, ...billing } = await stoppedBilling(database, instance);
  if (billing.holdState !== 'closed' && !isKept) return undefined;
  const credits = billing.creditsPerHour;
  const fields = { userId, credits, reason: 'A virtual machine', expiresAt: holdExpiry(now()).toISOString() };
  // The hold of an earlier, interrupted start may have used the number or have expired.
  for (let number = billing.holdNumber + 1; ; number++) {
    const reference = holdReference(uuid, number);
    const placed = await callSubgraph(PLACE_HOLD, { ...fields, reference }, requestId).catch((error: unknown) => {
      const code = errorCode(error);
      if (code === 'CONFLICT') return undefined;
      if (code !== 'PAYMENT_REQUIRED') throw error;
      throw paymentRequired('To start a virtual machine, your free credits must cover one hour of running.');
    });
    if (placed?.state === 'open') return { number, credits };
  }
}

async function stoppedBilling(database: Database, { userId, id }: OwnedRow) {
  const [billing] = await database.run(BILLING_OF_STOPPED, { userId, id });
  if (!billing) throw new Error(`machine ${id} has no billing`);
  return billing;
}

/** Releases the hold when the machine did not take it over. */
async function releaseUnused(
  { database, callSubgraph, requestId }: InfrastructureContext,
  instance: VmInstance,
  { number }: HoldForStart,
): Promise<void> {
  const { holdNumber, holdState } = await stoppedBilling(database, instance);
  if (holdNumber === number && holdState !== 'closed') return;
  await callSubgraph(RELEASE_HOLD, { reference: holdReference(instance.uuid, number) }, requestId);
}
