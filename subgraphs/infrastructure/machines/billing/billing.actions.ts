import { sql } from 'kysely';
import type { Context, Runtime } from '../../../../kernel/subgraph/context.js';
import type { Database } from '../../../../kernel/database/database.js';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import { CREDITS_OF_USER } from '../../calls.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { VmInstance } from '../instance/instance.js';
import { instanceEvent } from '../instance/transition.actions.js';
import { costsNow, runway, secondsRun, secondsStopped, type Billing, type Funds } from './billing.rules.js';
import type { BillingState, VmBilling, VmBillingRow } from './billing.js';

/** A billing row with the uuid of its machine. */
export type BillingRow = Billing & Readonly<Omit<VmBillingRow, 'warnings' | 'isKept'>>;

/** Selects billing rows with aliases: `b` is the billing, `i` the machine. */
export const SELECT_BILLING = sql`SELECT b.instance_id AS "instanceId", b.user_id AS "userId", i.uuid,
  trim_scale(b.credits_per_hour)::text AS "creditsPerHour", trim_scale(b.stopped_credits_per_hour)::text AS "stoppedCreditsPerHour",
  b.ran_ms AS "ranMs", b.running_since AS "runningSince", b.stopped_ms AS "stoppedMs", b.stopped_since AS "stoppedSince",
  b.is_kept AS "isStoppedCharged", b.start_until AS "startUntil", b.should_run AS "shouldRun", trim_scale(b.charged)::text AS charged, b.charge_number AS "chargeNumber",
  trim_scale(b.charge_credits)::text AS "chargeCredits", b.charge_is_last AS "chargeIsLast", b.hold_number AS "holdNumber",
  b.hold_state AS "holdState", trim_scale(b.hold_credits)::text AS "holdCredits", trim_scale(b.hold_spent)::text AS "holdSpent",
  b.warning_minutes AS "warningMinutes", b.is_warned AS "isWarned", b.emptied_at AS "emptiedAt",
  b.should_run AND b.running_since IS NULL AND i.state IN ('running', 'rebooting') AS "isPaused"
  FROM infrastructure.vm_billing b JOIN infrastructure.vm_instance i ON i.user_id = b.user_id AND i.id = b.instance_id`;

const BILLINGS = query(
  'vm-billings',
  (_: Tables, value: { userIds: readonly number[]; ids: readonly number[] }) =>
    sql<BillingRow>`${SELECT_BILLING} WHERE b.user_id = ANY (${value.userIds}) AND b.instance_id = ANY (${value.ids})`,
);

const COSTING_OF_USER = query(
  'vm-costing-of-user',
  (_: Tables, value: { userId: number }) => sql<Costing>`
  SELECT trim_scale(coalesce(sum(CASE WHEN is_kept THEN stopped_credits_per_hour ELSE credits_per_hour END), 0))::text AS "creditsPerHour",
         trim_scale(coalesce(sum(hold_credits - hold_spent) FILTER (WHERE hold_state IN ('open', 'requested')), 0))::text AS "heldForMachines",
         string_agg(concat_ws(' ', instance_id, hold_number, hold_state, hold_spent), ',' ORDER BY instance_id) AS version
    FROM infrastructure.vm_billing b
   WHERE b.user_id = ${value.userId} AND (running_since IS NOT NULL OR stopped_since IS NOT NULL
      OR EXISTS (SELECT FROM infrastructure.vm_instance i WHERE i.user_id = ${value.userId} AND i.id = b.instance_id AND i.state IN ('running', 'rebooting')))`,
);

/** Cost and billing state of a machine. */
export async function readBilling(
  context: Context,
  { userId, id, status }: Pick<VmInstance, 'userId' | 'id' | 'status'>,
): Promise<VmBilling> {
  const now = context.now();
  const row = await findBilling(context, { userId, id });
  if (!row) throw notFound('There is no such virtual machine.');
  const left = !costsNow(row) ? undefined : runway(await recentFunds(context, row.userId));
  return {
    state: stateOf(status, row, left),
    creditsPerHour: row.creditsPerHour,
    stoppedCreditsPerHour: row.stoppedCreditsPerHour,
    chargedSoFar: row.charged,
    ranSeconds: Number(secondsRun(row, now)),
    stoppedSeconds: Number(secondsStopped(row, now)),
    warningMinutes: row.warningMinutes,
    emptyAt: left === undefined ? null : addSeconds(now, left),
  };
}

/** Milliseconds for which balances are reused within a request: the machines of a list are resolved together. */
const FUNDS_TTL_MS = 1_000;

/** Balances by request context, so that they are not cached longer than the request. */
const fundsByContext = new WeakMap<Context, { readonly atMs: number; readonly funds: Promise<Funds> }>();

function recentFunds(context: Context, userId: number): Promise<Funds> {
  const [known, atMs] = [fundsByContext.get(context), context.now().getTime()];
  if (known && atMs - known.atMs < FUNDS_TTL_MS) return known.funds;
  const funds = fundsOf(context, userId, context.requestId);
  fundsByContext.set(context, { atMs, funds });
  return funds;
}

function stateOf(status: VmInstance['status'], row: BillingRow, left: bigint | undefined): BillingState {
  if (left !== undefined) return left < BigInt(row.warningMinutes) * 60n ? 'low' : 'charging';
  if (row.shouldRun) return 'waiting';
  if (status === 'terminated' || status === 'terminating' || status === 'failed') return 'ended';
  return row.emptiedAt === null ? 'stopped' : 'empty';
}

/** A thousand years; a later end is not shown. */
const MAX_SHOWN_SECONDS = 31_557_600_000n;

function addSeconds(now: Date, seconds: bigint): Date | null {
  return seconds > MAX_SHOWN_SECONDS ? null : new Date(now.getTime() + Number(seconds) * 1_000);
}

/** Cost of the machines and the credits held for them. The version changes with any hold. */
type Costing = Pick<Funds, 'heldForMachines' | 'creditsPerHour'> & { readonly version: string | null };

const NO_COST: Costing = { heldForMachines: '0', creditsPerHour: '0', version: null };

/** Maximum reads while a hold changes between reading it here and reading the balance in accounts. */
const MAX_POLLS = 3;

/** The user's credits and the cost of their machines, read consistently. @throws UNAVAILABLE */
export async function fundsOf(
  { database, callSubgraph }: Pick<Runtime, 'database' | 'callSubgraph'>,
  userId: number,
  requestId: string,
): Promise<Funds> {
  const readCosting = async () => (await database.run(COSTING_OF_USER, { userId }))[0] ?? NO_COST;
  let costing = await readCosting();
  for (let reads = 1; ; reads++) {
    const credits = await callSubgraph(CREDITS_OF_USER, { userId }, requestId);
    const after = await readCosting();
    if (after.version === costing.version || reads === MAX_POLLS) return { ...after, ...credits };
    costing = after;
  }
}

const findBilling = batched(async ({ database }: Context, instances: readonly OwnedRow[]) => {
  const ids = instances.map(({ id }) => id);
  const userIds = [...new Set(instances.map(({ userId }) => userId))];
  return inOrder(ids, await database.run(BILLINGS, { userIds, ids }), ({ instanceId }) => instanceId);
});

const SET_WARNING = query('set-vm-warning', (db: Tables, value: OwnedRow & { minutes: number }) =>
  db
    .updateTable('vmBilling')
    .set({ warningMinutes: value.minutes, isWarned: false })
    .where('userId', '=', value.userId)
    .where('instanceId', '=', value.id),
);

/** A new revision while no command is on its way: a command is named by the revision. */
const COUNT_CHANGE = query('count-vm-change', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .updateTable('vmInstance')
    .set({ revision: sql<number>`revision + (state IN ('running', 'stopped', 'failed'))::integer` })
    .where((row) => row.and({ userId, id }))
    .where('state', 'not in', ['terminating', 'terminated'])
    .returning('id'),
);

/** Sets the warning threshold. @throws CONFLICT for a terminated or terminating machine */
export async function setWarning(
  database: Database,
  { userId, id, minutes }: OwnedRow & { readonly minutes: number },
): Promise<void> {
  await database.change(async (transaction) => {
    // Locks the machine before its billing, as each change of its state does.
    const counted = await transaction.run(COUNT_CHANGE, { userId, id });
    if (counted.length === 0) throw conflict('This virtual machine is terminated and no longer costs credits.');
    await transaction.run(SET_WARNING, { userId, id, minutes });
    transaction.publishAfterCommit(instanceEvent(userId, id));
  });
}
