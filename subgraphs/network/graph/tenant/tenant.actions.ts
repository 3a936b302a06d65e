import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { forbidden } from '../../../../kernel/errors.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { checkSizes, rangeAt, type GraphSizes } from './tenant.rules.js';
import type { Tenant, TenantCounts } from './tenant.js';

const TENANT_OF_USER = {
  name: 'tenant-of-user',
  text: `
    SELECT t.id, t.status, t.address_range::text AS "addressRange", t.revision, t.created_at AS "createdAt",
           g.id AS "defaultGroup", n.id AS "defaultNetwork"
      FROM network.tenant t
      JOIN network.group g ON g.tenant_id = t.id AND g.is_default
      JOIN network.network n ON n.tenant_id = t.id AND n.is_default
     WHERE t.user_id = $1`,
};

/** The user's tenant, if it was provisioned. */
export async function findTenant(database: Database, userId: number): Promise<Tenant | undefined> {
  const [tenant] = await database.rows<Tenant>(TENANT_OF_USER, [userId]);
  return tenant;
}

/** The viewer's tenant. @throws FORBIDDEN until it is provisioned */
export async function tenantOf(database: Database, viewer: Pick<UserViewer, 'userId'>): Promise<Tenant> {
  const tenant = await findTenant(database, viewer.userId);
  if (!tenant) throw notProvisioned();
  return tenant;
}

/** The error for a viewer without a private network. */
export function notProvisioned(): Error {
  return forbidden('Your private network is not provisioned yet: call POST /api/network/provision/ first.');
}

const COUNTS = {
  name: 'tenant-counts',
  text: `
    SELECT (SELECT count(*) FROM network.group WHERE tenant_id = $1 AND NOT is_infra)::integer AS groups,
           (SELECT count(*) FROM network.network WHERE tenant_id = $1)::integer AS networks,
           (SELECT count(*) FROM network.policy WHERE tenant_id = $1)::integer AS policies,
           (SELECT count(*) FROM network.resource WHERE tenant_id = $1)::integer AS resources,
           (SELECT count(*) FROM network.router WHERE tenant_id = $1)::integer AS routers,
           (SELECT count(*) FROM network.peer WHERE tenant_id = $1)::integer AS peers`,
};

/** The number of objects of each type in the tenant. */
export async function countTenant(database: Database, tenantId: number): Promise<TenantCounts> {
  const [counts] = await database.rows<TenantCounts>(COUNTS, [tenantId]);
  return counts ?? { groups: 0, networks: 0, policies: 0, resources: 0, routers: 0, peers: 0 };
}

/** Locked while a range is chosen, so that two new tenants cannot choose the same one. */
const RANGE_LOCK = 7_266_041_202;

/** Provisions the viewer's tenant. Repeated and parallel calls return the same tenant. */
export async function provisionTenant(
  database: Database,
  viewer: Pick<UserViewer, 'userId'>,
  now: Date,
): Promise<Tenant> {
  const existing = await findTenant(database, viewer.userId);
  if (existing) return existing;
  await database.change(async (transaction) => {
    await transaction.execute('SELECT pg_advisory_xact_lock($1)', [RANGE_LOCK]);
    const [{ place } = { place: 0 }] = await transaction.execute<{ place: number }>(
      'SELECT coalesce(max(range_number) + 1, 0) AS place FROM network.tenant',
    );
    const [tenant] = await transaction.execute<{ id: number }>(
      `INSERT INTO network.tenant (user_id, status, address_range, range_number, created_at)
       VALUES ($1, 'active', $2, $3, $4) ON CONFLICT (user_id) DO NOTHING RETURNING id`,
      [viewer.userId, rangeAt(place), place, now],
    );
    if (!tenant) return;
    await addDefaults(transaction, tenant.id, now);
    transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenant.id) });
  });
  return tenantOf(database, viewer);
}

async function addDefaults(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.execute(
    `INSERT INTO network.network (tenant_id, name, is_default, created_at) VALUES ($1, 'default', true, $2)`,
    [tenantId, now],
  );
  const [group] = await transaction.execute<{ id: number }>(
    `INSERT INTO network.group (tenant_id, label, is_default, created_at) VALUES ($1, 'all', true, $2) RETURNING id`,
    [tenantId, now],
  );
  await transaction.execute(
    `INSERT INTO network.policy
       (tenant_id, name, source_group_id, dest_group_id, protocol, bidirectional, action, enabled, is_managed, created_at)
     VALUES ($1, 'all-to-all', $2, $3, 'all', true, 'accept', true, true, $4)`,
    [tenantId, group?.id, group?.id, now],
  );
}

/** The topic on which a change of any tenant's graph is announced, by the tenant's id. */
export const GRAPHS_TOPIC = 'graphs';

/** The topic on which a change of the tenant's graph is announced. */
export function topologyTopic(tenantId: number): PlatformEvent {
  return { topic: `topology:${tenantId}` };
}

/** Who changes the graph, and when. */
export interface GraphChange {
  readonly viewer: Pick<UserViewer, 'userId'>;
  readonly now: Date;
}

/**
 * Changes the viewer's graph in one transaction: changes of one tenant take turns, the revision grows with each, the
 * history keeps what was before and after, and readers hear of it exactly if it commits.
 * @throws FORBIDDEN until the tenant is provisioned
 */
export function changeGraph<Result>(
  database: Database,
  { viewer, now }: GraphChange,
  work: (transaction: Transaction, tenantId: number) => Promise<Result>,
): Promise<Result> {
  return database.change(async (transaction) => {
    const [tenant] = await transaction.execute<{ id: number; revision: number }>(
      `UPDATE network.tenant SET revision = revision + 1, graph_revision = graph_revision + 1
        WHERE user_id = $1 RETURNING id, revision`,
      [viewer.userId],
    );
    if (!tenant) throw notProvisioned();
    await transaction.execute(
      `WITH change AS (INSERT INTO network.change (tenant_id, revision, user_id, at) VALUES ($1, $2, $3, $4) RETURNING id)
       SELECT set_config('network.change', id::text, true) FROM change`,
      [tenant.id, tenant.revision, viewer.userId, now],
    );
    const result = await work(transaction, tenant.id);
    await refuseTooMuch(transaction, tenant.id);
    await transaction.execute(
      `DELETE FROM network.change c WHERE c.tenant_id = $1 AND c.revision = $2
          AND NOT EXISTS (SELECT FROM network.change_item i WHERE i.change_id = c.id)`,
      [tenant.id, tenant.revision],
    );
    transaction.publishAfterCommit(topologyTopic(tenant.id));
    transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenant.id) });
    return result;
  });
}

async function refuseTooMuch(transaction: Transaction, tenantId: number): Promise<void> {
  const [sizes] = await transaction.execute<GraphSizes>(
    `SELECT (SELECT count(*) FROM network.group WHERE tenant_id = $1)::integer AS groups,
            (SELECT count(*) FROM network.network WHERE tenant_id = $1)::integer AS networks,
            (SELECT count(*) FROM network.resource WHERE tenant_id = $1)::integer AS resources,
            (SELECT count(*) FROM network.router WHERE tenant_id = $1)::integer AS routers,
            (SELECT count(*) FROM network.member WHERE tenant_id = $1)::integer AS memberships,
            count(*)::integer AS policies, coalesce(sum(cardinality(ports)), 0)::integer AS ports
       FROM network.policy WHERE tenant_id = $1`,
    [tenantId],
  );
  if (sizes) checkSizes(sizes);
}

/** Says within a change that what decides about packets changes although nobody drew anything. Takes the tenant's row. */
export async function growGraph(transaction: Transaction, tenantId: number): Promise<void> {
  await transaction.execute(
    'UPDATE network.tenant SET revision = revision + 1, graph_revision = graph_revision + 1 WHERE id = $1',
    [tenantId],
  );
  transaction.publishAfterCommit(topologyTopic(tenantId));
}

/**
 * Says within a change that what is shown of the tenant changes although its graph does not, e.g. a peer's state: the
 * revision grows and readers hear of it. Takes the tenant's row, as every change does first.
 */
export async function showChange(transaction: Transaction, tenantId: number): Promise<void> {
  await transaction.execute('UPDATE network.tenant SET revision = revision + 1 WHERE id = $1', [tenantId]);
  transaction.publishAfterCommit(topologyTopic(tenantId));
}
