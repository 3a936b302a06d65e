import type { Database } from '../../../../kernel/database/database.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { NetworkRuntime } from '../../services.js';
import { showChange } from '../../graph/tenant/tenant.actions.js';

const PHASE = `CASE WHEN least(a.not_after, a.retires_at) <= $1 THEN 'retired'
  WHEN coalesce(a.signs_from, a.not_before) > $1 THEN 'announced' ELSE 'in_use' END`;

const TENANTS_TO_TELL = {
  name: 'tenants-with-new-phases',
  text: `SELECT DISTINCT a.tenant_id AS id FROM network.authority a WHERE a.told_phase <> ${PHASE} ORDER BY 1`,
};

/** Authorities start to sign and retire by time alone. Notifies the peers of such tenants within a minute. */
export async function tellAuthorityPhases(database: Database, now: Date): Promise<void> {
  const tenants = await database.rows<{ id: number }>(TENANTS_TO_TELL, [now]);
  for (const { id } of tenants)
    await database.change(async (transaction) => {
      await showChange(transaction, id);
      await transaction.execute(`UPDATE network.authority a SET told_phase = ${PHASE} WHERE a.tenant_id = $2`, [
        now,
        id,
      ]);
    });
}

export const TELL_AUTHORITY_PHASES: JobDefinition<NetworkRuntime> = {
  name: 'tell-authority-phases',
  cron: '* * * * *',
  work: (_, { database, now }) => tellAuthorityPhases(database, now()),
};
