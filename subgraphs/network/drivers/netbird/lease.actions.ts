import { randomUUID } from 'node:crypto';
import type { Database } from '../../../../kernel/database/database.js';

/** Lifetime of a lease: longer than any request, so that a live holder never loses it during one. */
const LEASE_MS = 30_000;

/** Maximum duration of one turn, because others wait. */
const TURN_MS = 90_000;

const TAKE_LEASE = {
  name: 'netbird-take-lease',
  text: `
    INSERT INTO network.netbird_tenant AS n (tenant_id, lease, lease_until) VALUES ($1, $2, $3)
    ON CONFLICT (tenant_id) DO UPDATE SET lease = EXCLUDED.lease, lease_until = EXCLUDED.lease_until
      WHERE n.lease_until IS NULL OR n.lease_until <= $4 OR n.lease = EXCLUDED.lease
    RETURNING n.tenant_id`,
};

const END_LEASE = {
  name: 'netbird-end-lease',
  text: `UPDATE network.netbird_tenant SET lease = NULL, lease_until = NULL, ended_at = $3 WHERE tenant_id = $1 AND lease = $2`,
};

/** The exclusive right to update the objects of a tenant on the server. */
export class Lease {
  private readonly id = randomUUID();
  private readonly turnEndsMs: number;
  private renewAtMs = 0;

  private constructor(
    private readonly database: Database,
    private readonly tenantId: number,
    private readonly now: () => Date,
  ) {
    this.turnEndsMs = now().getTime() + TURN_MS;
  }

  /** Takes the lease; undefined when it is held by another. */
  static async take(database: Database, tenantId: number, now: () => Date): Promise<Lease | undefined> {
    const lease = new Lease(database, tenantId, now);
    return (await lease.extend()) ? lease : undefined;
  }

  /** Whether there is time for another request. */
  async isHeld(): Promise<boolean> {
    const nowMs = this.now().getTime();
    if (nowMs >= this.turnEndsMs) return false;
    return nowMs < this.renewAtMs || this.extend();
  }

  /** Releases the lease if it is still held. */
  async end(): Promise<void> {
    await this.database.rows(END_LEASE, [this.tenantId, this.id, this.now()]);
  }

  /** Notes that the server has this revision of the graph, and that all drift before it is repaired. */
  async noteDone(revision: number): Promise<void> {
    await this.database.change(async (transaction) => {
      const [held] = await transaction.execute(
        'UPDATE network.netbird_tenant SET revision = $3 WHERE tenant_id = $1 AND lease = $2 RETURNING tenant_id',
        [this.tenantId, this.id, revision],
      );
      if (!held) return;
      await transaction.execute(
        'UPDATE network.netbird_drift SET repaired_at = $2 WHERE tenant_id = $1 AND repaired_at IS NULL AND found_at <= $2',
        [this.tenantId, this.now()],
      );
    });
  }

  private async extend(): Promise<boolean> {
    const now = this.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const [taken] = await this.database.rows(TAKE_LEASE, [this.tenantId, this.id, until, now]);
    this.renewAtMs = now.getTime() + LEASE_MS / 3;
    return taken !== undefined;
  }
}
