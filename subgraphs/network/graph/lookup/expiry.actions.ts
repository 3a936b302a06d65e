import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { NetworkRuntime } from '../../services.js';
import { forEachTenant } from '../tenant/for-each-tenant.js';
import { increaseGraphRevision } from '../tenant/tenant.actions.js';
import { ADDRESS_TTL_MS } from './lookup.rules.js';

const TENANTS = query('tenants-with-gone-addresses', (db: Tables, value: { until: Date }) =>
  db.selectFrom('foundAddress').select('tenantId').distinct().where('goneAt', '<=', value.until).orderBy('tenantId'),
);

const DELETE_GONE = query('delete-gone-addresses', (db: Tables, value: { tenantId: number; until: Date }) =>
  db.deleteFrom('foundAddress').where('tenantId', '=', value.tenantId).where('goneAt', '<=', value.until),
);

/** Deletes addresses that expired: all of a tenant at once, because router certificates change with them. */
export async function deleteExpiredAddresses(database: Database, now: Date): Promise<void> {
  const until = new Date(now.getTime() - ADDRESS_TTL_MS);
  const ids = (await database.run(TENANTS, { until })).map(({ tenantId }) => tenantId);
  await forEachTenant(ids, (tenantId) =>
    database.change(async (transaction) => {
      await increaseGraphRevision(transaction, tenantId);
      await transaction.run(DELETE_GONE, { tenantId, until });
    }),
  );
}

export const DELETE_EXPIRED_ADDRESSES: JobDefinition<NetworkRuntime> = {
  name: 'forget-gone-addresses',
  cron: '*/10 * * * *',
  work: (_, { database, now }) => deleteExpiredAddresses(database, now()),
};
