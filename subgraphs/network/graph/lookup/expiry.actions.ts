import type { Database } from '../../../../kernel/database/database.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { NetworkRuntime } from '../../services.js';
import { growGraph } from '../tenant/tenant.actions.js';
import { KEPT_MS } from './lookup.rules.js';

const TENANTS = {
  name: 'tenants-with-gone-addresses',
  text: 'SELECT DISTINCT tenant_id AS id FROM network.found_address WHERE gone_at <= $1 ORDER BY 1',
};

/** Deletes addresses that expired: all of a tenant at once, because router certificates change with them. */
export async function forgetGone(database: Database, now: Date): Promise<void> {
  const until = new Date(now.getTime() - KEPT_MS);
  for (const { id } of await database.rows<{ id: number }>(TENANTS, [until])) {
    await database.change(async (transaction) => {
      await growGraph(transaction, id);
      await transaction.execute('DELETE FROM network.found_address WHERE tenant_id = $1 AND gone_at <= $2', [
        id,
        until,
      ]);
    });
  }
}

export const FORGET_GONE: JobDefinition<NetworkRuntime> = {
  name: 'forget-gone-addresses',
  cron: '*/10 * * * *',
  work: (_, { database, now }) => forgetGone(database, now()),
};
