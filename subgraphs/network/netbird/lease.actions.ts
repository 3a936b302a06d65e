import { randomUUID } from 'node:crypto';
import type { Database } from '../../../kernel/database.js';

/** How long one process alone brings a tenant's objects up to date; who dies over it is waited for no longer. */
const LEASE_MS = 120_000;

const TAKE_LEASE = {
  name: 'netbird-take-lease',
  text: `
    INSERT INTO network.netbird_tenant AS n (tenant_id, lease, lease_until) VALUES ($1, $2, $3)
    ON CONFLICT (tenant_id) DO UPDATE SET lease = EXCLUDED.lease, lease_until = EXCLUDED.lease_until
      WHERE n.lease_until IS NULL OR n.lease_until <= $4
    RETURNING n.tenant_id`,
};

/** Until when work under a new lease may begin. */
export interface Lease {
  readonly id: string;
  readonly endsAt: Date;
}

/** Takes the tenant; undefined: somebody else has it. */
export async function takeLease(database: Database, tenantId: number, now: Date): Promise<Lease | undefined> {
  const lease = { id: randomUUID(), endsAt: new Date(now.getTime() + LEASE_MS) };
  const [taken] = await database.rows(TAKE_LEASE, [tenantId, lease.id, lease.endsAt, now]);
  return taken && lease;
}

const END_LEASE = {
  name: 'netbird-end-lease',
  text: `UPDATE network.netbird_tenant SET lease = NULL, lease_until = NULL WHERE tenant_id = $1 AND lease = $2`,
};

/** Gives the tenant back, if it is still held. */
export async function endLease(database: Database, tenantId: number, { id }: Lease): Promise<void> {
  await database.rows(END_LEASE, [tenantId, id]);
}

/** Notes under the lease that the server has this revision of the graph, and all drift before it is repaired. */
export function noteDone(
  database: Database,
  tenantId: number,
  { lease, revision, now }: { readonly lease: Lease; readonly revision: number; readonly now: Date },
): Promise<void> {
  return database.change(async (transaction) => {
    const [held] = await transaction.execute(
      'UPDATE network.netbird_tenant SET revision = $3 WHERE tenant_id = $1 AND lease = $2 RETURNING tenant_id',
      [tenantId, lease.id, revision],
    );
    if (!held) return;
    await transaction.execute(
      'UPDATE network.netbird_drift SET repaired_at = $2 WHERE tenant_id = $1 AND repaired_at IS NULL AND found_at <= $2',
      [tenantId, now],
    );
  });
}
