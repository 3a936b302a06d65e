import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { NOTIFY_VM_OWNER } from '../instance/owner-notice.actions.js';
import { fundsOf } from './billing.actions.js';
import { runway } from './billing.rules.js';

const WATCHED = query('vm-watched', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('vmBilling as b')
    .innerJoin('vmInstance as i', (on) => on.onRef('i.userId', '=', 'b.userId').onRef('i.id', '=', 'b.instanceId'))
    .select(['i.uuid', 'i.name', 'b.warningMinutes', 'b.isWarned'])
    .where('b.userId', '=', value.userId)
    .where('b.instanceId', '=', value.id)
    .where('b.runningSince', 'is not', null),
);

const MARK = query('mark-vm-warned', (db: Tables, { userId, id, isLow }: OwnedRow & { isLow: boolean }) =>
  db
    .updateTable('vmBilling')
    .set({ isWarned: isLow, warnings: sql<number>`warnings + CASE WHEN ${isLow} THEN 1 ELSE 0 END` })
    .where('userId', '=', userId)
    .where('instanceId', '=', id)
    .where('isWarned', '<>', isLow)
    .returning('warnings'),
);

/** Warns the owner of a running machine once when credits fall below the threshold; again only after they were above it. */
export async function warnOwner(runtime: InfrastructureRuntime, { userId, id }: OwnedRow): Promise<void> {
  const { database, jobs } = runtime;
  const [watched] = await database.run(WATCHED, { userId, id });
  if (!watched) return;
  const { uuid, name, warningMinutes } = watched;
  const left = runway(await fundsOf(runtime, userId, randomUUID()));
  const isLow = left < BigInt(warningMinutes) * 60n;
  if (isLow === watched.isWarned) return;
  await database.change(async (transaction) => {
    const [marked] = await transaction.run(MARK, { userId, id, isLow });
    if (!marked || !isLow) return;
    const notice = {
      userId,
      kind: 'low_credit',
      key: `vm:${uuid}:${marked.warnings}`,
      title: `${name} has about ${left / 60n} minutes left`,
      text: `Your credits pay for about ${left / 60n} more minutes. At zero, the virtual machine ${name} is shut down; its disk is kept.`,
    };
    await jobs.enqueue(transaction, NOTIFY_VM_OWNER.name, notice, { key: notice.key });
  });
}
