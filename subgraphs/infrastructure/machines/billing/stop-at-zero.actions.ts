import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { isCosting } from '../instance/instance.rules.js';
import { transitionInstance } from '../instance/transition.actions.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { SELECT_BILLING, type BillingRow } from './billing.actions.js';
import { paidMs } from './billing.rules.js';
import { NOTIFY_VM_OWNER } from '../instance/owner-notice.actions.js';

const LOCK_INSTANCE = query('lock-vm', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .selectFrom('vmInstance')
    .select(['name', 'state'])
    .where((row) => row.and({ userId, id }))
    .forUpdate(),
);
const LOCK_BILLING = query(
  'lock-vm-billing-of-hold',
  (_: Tables, value: OwnedRow & { holdNumber: number }) => sql<BillingRow>`${SELECT_BILLING}
   WHERE b.user_id = ${value.userId} AND b.instance_id = ${value.id} AND b.hold_number = ${value.holdNumber} AND b.hold_state = 'requested' FOR UPDATE OF b`,
);

interface Paid extends OwnedRow {
  readonly ranMs: string;
  readonly stoppedMs: string;
  readonly now: Date;
}

const CLOSE = query('vm-emptied', (db: Tables, { userId, id, ranMs, stoppedMs, now }: Paid) =>
  db
    .updateTable('vmBilling')
    .set({ holdState: 'closed', ranMs, stoppedMs, stoppedSince: null, emptiedAt: now })
    .set((row) => ({ warnings: row('warnings', '+', 1) }))
    .where('userId', '=', userId)
    .where('instanceId', '=', id)
    .returning('warnings'),
);
/** For a machine that is already stopped or terminating: only waives the unpaid cost. One that costs while it is stopped is charged again after a new hold. */
const FORGIVE = query('vm-forgiven', (db: Tables, { userId, id, ranMs, stoppedMs, now }: Paid) =>
  db
    .updateTable('vmBilling')
    .set({ holdState: 'closed', ranMs, stoppedMs, stoppedSince: null })
    .set({
      emptiedAt: sql<Date | null>`CASE WHEN is_kept THEN coalesce(emptied_at, ${now}::timestamptz) ELSE emptied_at END`,
    })
    .where('userId', '=', userId)
    .where('instanceId', '=', id)
    .where('runningSince', 'is', null),
);

const REASON = 'Stopped because your credits ran out. Nothing is deleted: start it again when you have credits.';

/**
 * Stops a machine when credits run out. It is never deleted, and unpaid seconds are waived.
 * @returns whether it was running
 */
export function stopAtZero(
  { database, jobs }: InfrastructureRuntime,
  { userId, instanceId: id }: Pick<BillingRow, 'userId' | 'instanceId'>,
  { holdNumber, now }: { readonly holdNumber: number; readonly now: Date },
): Promise<boolean> {
  return database.change(async (transaction: Transaction) => {
    const [instance] = await transaction.run(LOCK_INSTANCE, { userId, id });
    const [row] = await transaction.run(LOCK_BILLING, { userId, id, holdNumber });
    if (!instance || !row) return false;
    const paid = { userId, id, ...paidMs(row, now), now };
    const { state: from } = instance;
    const transition = { userId, id, from, to: 'stopping', desired: 'stopped', error: REASON } as const;
    if (!isCosting(from) || !(await transitionInstance(transaction, jobs, transition, now))) {
      await transaction.run(FORGIVE, paid);
      return false;
    }
    const [closed] = await transaction.run(CLOSE, paid);
    const notice = {
      userId,
      kind: 'zero_balance',
      key: `vm:${row.uuid}:${closed?.warnings}`,
      title: `${instance.name} was stopped`,
      text: `Your credits ran out, so the virtual machine ${instance.name} was shut down. Its disk is kept. Start it again when you have credits.`,
    };
    await jobs.enqueue(transaction, NOTIFY_VM_OWNER.name, notice, { key: notice.key });
    return true;
  });
}
