import type { Transaction } from '../../../../kernel/database/database.js';
import { moveInstance } from '../instance/transition.actions.js';
import type { InfrastructureRuntime } from '../../services.js';
import { BILLING_COLUMNS, type BillingRow } from './billing.actions.js';
import { paidMs } from './billing.rules.js';
import { NOTIFY_OWNER } from './warning.actions.js';

const LOCK_INSTANCE = 'SELECT name FROM infrastructure.vm_instance WHERE id = $1 FOR UPDATE';
const LOCK_BILLING = `
  SELECT ${BILLING_COLUMNS} FROM infrastructure.vm_billing b JOIN infrastructure.vm_instance i ON i.id = b.instance_id
   WHERE b.instance_id = $1 AND b.hold_number = $2 AND b.hold_state = 'wanted' FOR UPDATE OF b`;
const CLOSE = `
  UPDATE infrastructure.vm_billing
     SET hold_state = 'closed', ran_ms = $2, stopped_ms = $3, stopped_since = NULL, emptied_at = $4, warnings = warnings + 1
   WHERE instance_id = $1 RETURNING warnings`;
/** For a machine that is already stopped or terminating: only waives the unpaid cost. A machine stopped at a price is charged again after a new hold. */
const FORGIVE = `
  UPDATE infrastructure.vm_billing
     SET hold_state = 'closed', ran_ms = $2, stopped_ms = $3, stopped_since = NULL,
         emptied_at = CASE WHEN is_kept THEN coalesce(emptied_at, $4::timestamptz) ELSE emptied_at END
   WHERE instance_id = $1 AND running_since IS NULL`;

const REASON = 'Stopped because your credits ran out. Nothing is deleted: start it again when you have credits.';

/**
 * Stops a machine when credits run out. It is never deleted, and unpaid seconds are waived.
 * @returns whether it was running
 */
export function stopAtZero(
  { database, jobs }: InfrastructureRuntime,
  id: number,
  { holdNumber, now }: { readonly holdNumber: number; readonly now: Date },
): Promise<boolean> {
  return database.change(async (transaction: Transaction) => {
    const [instance] = await transaction.execute<{ name: string }>(LOCK_INSTANCE, [id]);
    const [row] = await transaction.execute<BillingRow>(LOCK_BILLING, [id, holdNumber]);
    if (!instance || !row) return false;
    const { ranMs, stoppedMs } = paidMs(row, now);
    const paid = [id, ranMs, stoppedMs, now];
    const move = { id, to: 'stopping', wanted: 'stopped', error: REASON } as const;
    if (!(await moveInstance(transaction, jobs, move, now))) {
      await transaction.execute(FORGIVE, paid);
      return false;
    }
    const [closed] = await transaction.execute<{ warnings: number }>(CLOSE, paid);
    const notice = {
      userId: row.userId,
      kind: 'zero_balance',
      key: `vm:${row.uuid}:${closed?.warnings}`,
      title: `${instance.name} was stopped`,
      text: `Your credits ran out, so the virtual machine ${instance.name} was shut down. Its disk is kept. Start it again when you have credits.`,
    };
    await jobs.enqueue(transaction, NOTIFY_OWNER, notice, { key: notice.key });
    return true;
  });
}
