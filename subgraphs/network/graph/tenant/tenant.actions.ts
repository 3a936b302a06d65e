import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { forbidden, unavailable } from '../../../../kernel/errors.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import { beginChange, endChange } from './change.actions.js';
import { sizesOf } from './sizes.actions.js';
import { checkSizes, lastRangeFrom, rangeAt } from './tenant.rules.js';
import type { Tenant, TenantCounts, TenantRow } from './tenant.js';

const TENANT_OF_USER = query('tenant-of-user', (db: Tables, value: { userIds: readonly number[] }) =>
  db
    .selectFrom('tenant as t')
    .innerJoin('group as g', (on) => on.onRef('g.tenantId', '=', 't.id').on('g.isDefault', '=', sql.lit(true)))
    .innerJoin('network as n', (on) => on.onRef('n.tenantId', '=', 't.id').on('n.isDefault', '=', sql.lit(true)))
    .select(['t.id', 't.status', sql<string>`t.address_range::text`.as('addressRange'), 't.revision', 't.createdAt'])
    .select(['g.id as defaultGroup', 'n.id as defaultNetwork', 't.userId'])
    .where('t.userId', '=', anyOf(value.userIds)),
);

/** The user's tenant, if it was provisioned. */
export async function findTenant(database: Pick<Database, 'run'>, userId: number): Promise<Tenant | undefined> {
  const [tenant] = await database.run(TENANT_OF_USER, { userIds: [userId] });
  return tenant;
}

/** The tenant of a user, read in a batch; undefined until it is provisioned. The caller authorises. */
export const loadTenant = batched(async ({ database }: Pick<Context, 'database'>, userIds: readonly number[]) =>
  inOrder(userIds, await database.run(TENANT_OF_USER, { userIds }), ({ userId }) => userId),
);

/** The viewer's tenant. @throws FORBIDDEN until it is provisioned */
export async function tenantOf(database: Pick<Database, 'run'>, viewer: Pick<UserViewer, 'userId'>): Promise<Tenant> {
  const tenant = await findTenant(database, viewer.userId);
  if (!tenant) throw notProvisioned();
  return tenant;
}

/** The error for a viewer without a private network. */
export function notProvisioned(): Error {
  return forbidden('Your private network is not provisioned yet: call POST /api/network/provision/ first.');
}

const COUNTS = query(
  'tenant-counts',
  (_: Tables, { ids }: { ids: readonly number[] }) => sql<TenantCounts & { readonly id: number }>`
    SELECT t.id,
           (SELECT count(*) FROM network.group WHERE tenant_id = t.id AND NOT is_infra)::integer AS groups,
           (SELECT count(*) FROM network.network WHERE tenant_id = t.id)::integer AS networks,
           (SELECT count(*) FROM network.policy WHERE tenant_id = t.id)::integer AS policies,
           (SELECT count(*) FROM network.resource WHERE tenant_id = t.id)::integer AS resources,
           (SELECT count(*) FROM network.router WHERE tenant_id = t.id)::integer AS routers,
           (SELECT count(*) FROM network.peer WHERE tenant_id = t.id)::integer AS peers
      FROM unnest(${ids}::integer[]) t (id)`,
);

/** The number of objects of each type in a tenant, read in a batch. The caller authorises. */
export const loadCounts = batched(async ({ database }: Pick<Context, 'database'>, ids: readonly number[]) =>
  inOrder(ids, await database.run(COUNTS, { ids }), ({ id }) => id),
);

/** Locked while a range is chosen, so that two new tenants get different ones. */
const RANGE_LOCK = 7_266_041_202;

const LOCK_RANGES = query('lock-address-ranges', () => sql`SELECT pg_advisory_xact_lock(${RANGE_LOCK})`);

const FREE_RANGE = query('free-address-range', (db: Tables) =>
  db.selectFrom('tenant').select(sql<number>`coalesce(max(range_number) + 1, 0)`.as('place')),
);

/** @throws ConfigError when a private network has no port any more: its machines would refuse every configuration */
export async function checkPorts(database: Database, firstPort: number): Promise<void> {
  const [{ place } = { place: 0 }] = await database.run(FREE_RANGE, {});
  if (place - 1 > lastRangeFrom(firstPort))
    throw new ConfigError(
      `LIGHTHOUSE_PORT is "${firstPort}": the newest private network would have the port ${firstPort + place - 1}, above 65535.`,
    );
}

type NewTenant = Pick<TenantRow, 'userId' | 'addressRange' | 'rangeNumber' | 'createdAt'>;

const INSERT_TENANT = query(
  'insert-tenant',
  (db: Tables, { userId, addressRange, rangeNumber, createdAt }: NewTenant) =>
    db
      .insertInto('tenant')
      .values({ userId, status: 'active', addressRange, rangeNumber, createdAt })
      .onConflict((on) => on.column('userId').doNothing())
      .returning('id'),
);

/**
 * Provisions the viewer's tenant. Repeated and parallel calls return the same tenant.
 * @param lastRange the highest range number @throws UNAVAILABLE when no range number is left
 */
export async function provisionTenant(
  database: Database,
  viewer: Pick<UserViewer, 'userId'>,
  { lastRange, now }: { readonly lastRange: number; readonly now: Date },
): Promise<Tenant> {
  const existing = await findTenant(database, viewer.userId);
  if (existing) return existing;
  await database.change(async (transaction) => {
    await transaction.run(LOCK_RANGES, {});
    const [{ place } = { place: 0 }] = await transaction.run(FREE_RANGE, {});
    if (place > lastRange) throw unavailable('The platform has no port left for another private network.');
    const range = { addressRange: rangeAt(place), rangeNumber: place };
    const [tenant] = await transaction.run(INSERT_TENANT, { userId: viewer.userId, ...range, createdAt: now });
    if (!tenant) return undefined;
    await addDefaults(transaction, tenant.id, now);
    transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenant.id) });
    return { tenantId: tenant.id };
  });
  return tenantOf(database, viewer);
}

type Defaults = { tenantId: number; now: Date };

const INSERT_DEFAULT_NETWORK = query('insert-default-network', (db: Tables, { tenantId, now }: Defaults) =>
  db.insertInto('network').values({ tenantId, name: 'default', isDefault: true, createdAt: now }),
);

const INSERT_DEFAULT_GROUP = query('insert-default-group', (db: Tables, { tenantId, now }: Defaults) =>
  db.insertInto('group').values({ tenantId, label: 'all', isDefault: true, createdAt: now }).returning('id'),
);

const INSERT_MANAGED_POLICY = query(
  'insert-managed-policy',
  (_: Tables, { tenantId, groupId, now }: Defaults & { groupId: number }) => sql`
    INSERT INTO network.policy
      (tenant_id, name, source_group_id, dest_group_id, protocol, bidirectional, action, enabled, is_managed, created_at)
    VALUES (${tenantId}, 'all-to-all', ${groupId}, ${groupId}, 'all', true, 'accept', true, true, ${now})`,
);

async function addDefaults(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.run(INSERT_DEFAULT_NETWORK, { tenantId, now });
  const [group] = await transaction.run(INSERT_DEFAULT_GROUP, { tenantId, now });
  if (!group) throw new Error('an insert returned no row');
  await transaction.run(INSERT_MANAGED_POLICY, { tenantId, groupId: group.id, now });
}

/** The topic for changes of any tenant's graph; the event id is the tenant's id. */
export const GRAPHS_TOPIC = 'graphs';

/** The topic for changes of a tenant's graph. */
export function topologyTopic(tenantId: number): PlatformEvent {
  return { topic: `topology:${tenantId}` };
}

/** The user and the time of a change. */
export interface GraphChange {
  readonly viewer: Pick<UserViewer, 'userId'> & Partial<Pick<UserViewer, 'tokenId'>>;
  readonly now: Date;
  /** The open change to join; undefined: starts a new change. */
  readonly within?: { readonly transaction: Transaction; readonly tenantId: number };
}

/** Both revisions of a tenant, increased by one. */
const NEXT_REVISIONS = { revision: sql<number>`revision + 1`, graphRevision: sql<number>`graph_revision + 1` };

const INCREASE_GRAPH_REVISION_OF_USER = query('grow-graph-of-user', (db: Tables, value: { userId: number }) =>
  db.updateTable('tenant').set(NEXT_REVISIONS).where('userId', '=', value.userId).returning(['id', 'revision']),
);

/**
 * Changes the viewer's graph in one transaction. Changes of a tenant run one after the other. Each increases the
 * revision, is recorded in the history, and publishes an event at commit. With `within`, joins an open change. @throws
 * FORBIDDEN until the tenant is provisioned
 */
export function changeGraph<Result>(
  database: Pick<Database, 'change'>,
  { viewer, now, within }: GraphChange,
  work: (transaction: Transaction, tenantId: number) => Promise<Result>,
): Promise<Result> {
  if (within) return work(within.transaction, within.tenantId);
  return database.change(async (transaction) => {
    const [tenant] = await transaction.run(INCREASE_GRAPH_REVISION_OF_USER, { userId: viewer.userId });
    if (!tenant) throw notProvisioned();
    const change = { tenantId: tenant.id, revision: tenant.revision };
    await beginChange(transaction, { ...change, userId: viewer.userId, tokenId: viewer.tokenId ?? null, now });
    const before = await sizesOf(transaction, tenant.id);
    const result = await work(transaction, tenant.id);
    checkSizes(before, await sizesOf(transaction, tenant.id));
    await endChange(transaction, change);
    transaction.publishAfterCommit(topologyTopic(tenant.id));
    transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenant.id) });
    return result;
  }, `user ${viewer.userId}`);
}

const INCREASE_GRAPH_REVISION = query('grow-graph', (db: Tables, value: { id: number }) =>
  db.updateTable('tenant').set(NEXT_REVISIONS).where('id', '=', value.id),
);

const INCREASE_REVISION = query('grow-revision', (db: Tables, value: { id: number }) =>
  db.updateTable('tenant').set({ revision: NEXT_REVISIONS.revision }).where('id', '=', value.id),
);

/** The owner of transactions that hold the tenant's row, so that they use only a share of the connections. */
export function ownerOf(tenantId: number): string {
  return `tenant ${tenantId}`;
}

/** Locks the tenant's row exclusively. */
export const LOCK_TENANT = query('lock-tenant', (db: Tables, value: { id: number }) =>
  db.selectFrom('tenant').select('id').where('id', '=', value.id).forUpdate(),
);

/**
 * Locks the tenant's row, so that changes of the tenant run one after the other; rows that refer to it can still be
 * inserted.
 */
export const HOLD_TENANT = query('hold-tenant', (db: Tables, value: { id: number }) =>
  db.selectFrom('tenant').select('id').where('id', '=', value.id).forNoKeyUpdate(),
);

/**
 * Increases both revisions within a change that affects traffic but was not made by the user. Locks the tenant's row.
 */
export async function increaseGraphRevision(transaction: Transaction, tenantId: number): Promise<void> {
  await transaction.run(INCREASE_GRAPH_REVISION, { id: tenantId });
  transaction.publishAfterCommit(topologyTopic(tenantId));
}

/**
 * Increases the revision and publishes an event within a change that affects what readers see but not the graph, e.g.
 * the state of a peer. Locks the tenant's row; every change must do that first.
 */
export async function increaseRevision(transaction: Transaction, tenantId: number): Promise<void> {
  await transaction.run(INCREASE_REVISION, { id: tenantId });
  transaction.publishAfterCommit(topologyTopic(tenantId));
}
