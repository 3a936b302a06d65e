import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { NetworkRuntime } from '../../services.js';
import { forEachTenant } from '../../graph/tenant/for-each-tenant.js';
import { increaseRevision } from '../../graph/tenant/tenant.actions.js';

const phaseAt = (now: Date) => sql<string>`CASE WHEN least(not_after, retires_at) <= ${now} THEN 'retired'
  WHEN coalesce(signs_from, not_before) > ${now} THEN 'announced' ELSE 'in_use' END`;

const TENANTS_WITH_NEW_PHASES = query('tenants-with-new-phases', (db: Tables, { now }: { now: Date }) =>
  db
    .selectFrom('authority')
    .select('tenantId')
    .distinct()
    .where('publishedPhase', '<>', phaseAt(now))
    .orderBy('tenantId'),
);

const STORE_PHASES = query('note-phases-of-authorities', (db: Tables, value: { tenantId: number; now: Date }) =>
  db
    .updateTable('authority')
    .set({ publishedPhase: phaseAt(value.now) })
    .where('tenantId', '=', value.tenantId),
);

/**
 * Authorities start to sign and retire at a given time, without a change of a row. Publishes a change of such tenants
 * within a minute.
 */
export async function publishAuthorityPhases(database: Database, now: Date): Promise<void> {
  const tenants = await database.run(TENANTS_WITH_NEW_PHASES, { now });
  const ids = tenants.map(({ tenantId }) => tenantId);
  await forEachTenant(ids, (tenantId) =>
    database.change(async (transaction) => {
      await increaseRevision(transaction, tenantId);
      await transaction.run(STORE_PHASES, { tenantId, now });
    }),
  );
}

export const PUBLISH_AUTHORITY_PHASES: JobDefinition<NetworkRuntime> = {
  name: 'tell-authority-phases',
  cron: '* * * * *',
  work: (_, { database, now }) => publishAuthorityPhases(database, now()),
};
