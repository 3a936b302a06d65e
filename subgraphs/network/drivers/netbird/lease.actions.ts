import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';

/** Lifetime of a lease: longer than any request, so that a running holder does not lose it during a request. */
const LEASE_MS = 30_000;

/** Maximum duration of one turn, because others wait. */
const MAX_LEASE_MS = 90_000;

type LeaseName = { tenantId: number; lease: string };

// By the clock of PostgreSQL, because the clocks of processes differ.
const TAKE_LEASE = query(
  'netbird-take-lease',
  (_: Tables, { tenantId, lease }: LeaseName) => sql`
    INSERT INTO network.netbird_tenant AS n (tenant_id, lease, lease_until)
    VALUES (${tenantId}, ${lease}, now() + interval ${sql.lit(`${LEASE_MS} milliseconds`)})
    ON CONFLICT (tenant_id) DO UPDATE SET lease = EXCLUDED.lease, lease_until = EXCLUDED.lease_until
      WHERE n.lease_until IS NULL OR n.lease_until <= now() OR n.lease = EXCLUDED.lease
    RETURNING n.tenant_id`,
);

const END_LEASE = query('netbird-end-lease', (db: Tables, { tenantId, lease }: LeaseName) =>
  db
    .updateTable('netbirdTenant')
    .set({ lease: null, leaseUntil: null, endedAt: sql<Date>`now()` })
    .where((eb) => eb.and({ tenantId, lease })),
);

const STORE_REVISION = query(
  'netbird-note-revision',
  (db: Tables, { tenantId, lease, revision }: LeaseName & { revision: number }) =>
    db
      .updateTable('netbirdTenant')
      .set({ revision })
      .where((eb) => eb.and({ tenantId, lease }))
      .returning('tenantId'),
);

const REPAIR_DRIFT = query('netbird-repair-drift', (db: Tables, value: { tenantId: number; now: Date }) =>
  db
    .updateTable('netbirdDrift')
    .set({ repairedAt: value.now })
    .where('tenantId', '=', value.tenantId)
    .where('repairedAt', 'is', null)
    .where('foundAt', '<=', value.now),
);

/** The exclusive right to update the objects of a tenant on the server. */
export class Lease {
  private readonly name: LeaseName;
  private readonly endsMs: number;
  private renewAtMs = 0;

  private constructor(
    private readonly database: Database,
    tenantId: number,
    private readonly now: () => Date,
  ) {
    this.name = { tenantId, lease: randomUUID() };
    this.endsMs = now().getTime() + MAX_LEASE_MS;
  }

  /** Takes the lease; undefined when it is held by another. */
  static async take(database: Database, tenantId: number, now: () => Date): Promise<Lease | undefined> {
    const lease = new Lease(database, tenantId, now);
    return (await lease.extend()) ? lease : undefined;
  }

  /** Whether there is time for another request. */
  async isHeld(): Promise<boolean> {
    const nowMs = this.now().getTime();
    if (nowMs >= this.endsMs) return false;
    return nowMs < this.renewAtMs || this.extend();
  }

  /** Releases the lease if it is still held. */
  async end(): Promise<void> {
    await this.database.run(END_LEASE, this.name);
  }

  /** Records that the server has this revision of the graph and that all earlier drift is repaired. */
  async recordRevision(revision: number): Promise<void> {
    await this.database.change(async (transaction) => {
      const [held] = await transaction.run(STORE_REVISION, { ...this.name, revision });
      if (held) await transaction.run(REPAIR_DRIFT, { tenantId: this.name.tenantId, now: this.now() });
    });
  }

  private async extend(): Promise<boolean> {
    const startMs = this.now().getTime();
    const [taken] = await this.database.run(TAKE_LEASE, this.name);
    this.renewAtMs = startMs + LEASE_MS / 3;
    return taken !== undefined;
  }
}
