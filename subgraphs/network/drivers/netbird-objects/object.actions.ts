import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { Snapshot } from '../../../../kernel/database/in-transaction.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { REVOKE_KEYS_OF_PEER } from '../../joining/setup-key/setup-key.actions.js';
import type { ActualObject, ObjectKind } from './actual.rules.js';
import { fieldsHash, type KnownObject } from './plan.rules.js';
import { tenantPrefix, type TenantGraph, type DesiredObject } from './desired.rules.js';

/** A tenant's graph and its known state on the server, from one snapshot. */
export interface TenantState {
  readonly graph: TenantGraph;
  readonly known: readonly KnownObject[];
  /** Peers whose enrollment, or new key, is in progress: it is not removed. */
  readonly reserved: ReadonlySet<number>;
  /** The last graph_revision that was applied to the server; null: none yet. */
  readonly revision: number | null;
  readonly isLeased: boolean;
  /** When the last reconciliation released the lease. */
  readonly endedAt: Date | null;
}

type GraphRow = Omit<TenantGraph, 'prefix'> &
  Pick<TenantState, 'isLeased' | 'endedAt'> & { readonly doneRevision: number | null; readonly reserved: number[] };

const GRAPH = query(
  'netbird-graph-of-tenant',
  (_: Tables, { id, now }: { id: number; now: Date }) => sql<GraphRow>`
  SELECT t.id AS "tenantId", t.graph_revision AS revision,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, label FROM network."group" WHERE tenant_id = ${id}) n) AS groups,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT p.id, coalesce(m.groups, '{}') AS groups FROM network.peer p
              LEFT JOIN (SELECT peer_id, array_agg(group_id ORDER BY group_id) AS groups
                         FROM network.member WHERE tenant_id = ${id} GROUP BY peer_id) m ON m.peer_id = p.id WHERE p.tenant_id = ${id}) n) AS peers,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, name, description FROM network.network WHERE tenant_id = ${id}) n) AS networks,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT r.id, r.network_id AS "networkId", r.name, r.address, r.enabled, coalesce(m.groups, '{}') AS groups
              FROM network.resource r LEFT JOIN
                   (SELECT resource_id, array_agg(group_id ORDER BY group_id) AS groups
                      FROM network.resource_group WHERE tenant_id = ${id} GROUP BY resource_id) m ON m.resource_id = r.id
             WHERE r.tenant_id = ${id}) n) AS resources,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, network_id AS "networkId", peer_id AS "peerId", masquerade, metric, enabled
              FROM network.router WHERE tenant_id = ${id}) n) AS routers,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, name, source_group_id AS "sourceGroupId", dest_group_id AS "destGroupId", protocol, ports,
                   bidirectional, action, enabled FROM network.policy WHERE tenant_id = ${id}) n) AS policies,
         ARRAY(SELECT peer_id FROM network.enrollment WHERE tenant_id = t.id AND peer_id IS NOT NULL
                AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ${now}) AS "openKeys",
         n.revision AS "doneRevision", coalesce(n.lease_until > now(), false) AS "isLeased", n.ended_at AS "endedAt",
         ARRAY(SELECT o.object_id FROM network.netbird_object o
                WHERE o.tenant_id = t.id AND o.kind = 'peer' AND o.reserved_until > ${now}) AS reserved
    FROM network.tenant t LEFT JOIN network.netbird_tenant n ON n.tenant_id = t.id WHERE t.id = ${id}`,
);

const KNOWN = query('netbird-known-objects', (db: Tables, value: { tenantId: number }) =>
  db
    .selectFrom('netbirdObject')
    .select(['kind', 'objectId as id', 'externalId', 'parentId', 'sentHash', 'answeredHash', 'sentAt'])
    .where('tenantId', '=', value.tenantId),
);

/** Identifies a tenant on a server. */
interface TenantName {
  readonly installation: string;
  readonly tenantId: number;
}

/** Reads the state of a tenant in one snapshot. @throws Error if the tenant does not exist */
export function readState(database: Database, { installation, tenantId }: TenantName, now: Date): Promise<TenantState> {
  return database.snapshot(async (snapshot: Snapshot) => {
    const [row] = await snapshot.run(GRAPH, { id: tenantId, now });
    if (!row) throw new Error(`there is no tenant ${tenantId}`);
    const { doneRevision, isLeased, endedAt, reserved, ...graph } = row;
    const known = await snapshot.run(KNOWN, { tenantId });
    return {
      graph: { ...graph, prefix: tenantPrefix(installation, tenantId) },
      known,
      reserved: new Set(reserved),
      revision: doneRevision,
      isLeased,
      endedAt,
    };
  });
}

const DATABASE_TIME = query('netbird-database-time', () => sql<{ now: Date }>`SELECT clock_timestamp() AS now`);

/**
 * The time of PostgreSQL. Times that are compared with those of other processes come from there, because the clocks of
 * processes differ.
 */
export async function readDatabaseTime(database: Database): Promise<Date> {
  const [row] = await database.run(DATABASE_TIME, {});
  if (!row) throw new Error('a select returned no row');
  return row.now;
}

/** An object with its server id. */
interface RecordedObject {
  readonly kind: ObjectKind | 'machine';
  readonly id: number;
  readonly externalId: string;
  readonly parentId?: string | null;
  readonly sent?: DesiredObject['fields'];
  readonly answered?: ActualObject['fields'];
}

type KeptObject = Omit<KnownObject, 'id' | 'sentAt'> & { tenantId: number; objectId: number };

/** After the response of the server, also in a transaction that began before it. */
export const SENT_NOW = sql<Date>`clock_timestamp()`;

const RECORD_OBJECT = query(
  'netbird-record-object',
  (db: Tables, { tenantId, kind, objectId, externalId, parentId, sentHash, answeredHash }: KeptObject) => {
    const kept = { externalId, parentId, sentHash, answeredHash, sentAt: SENT_NOW };
    return db
      .insertInto('netbirdObject')
      .values({ tenantId, kind, objectId, ...kept })
      .onConflict((on) => on.columns(['tenantId', 'kind', 'objectId']).doUpdateSet(kept))
      .returning('sentAt');
  },
);

/** Stores the server's id of an object, the fields that were sent, and the fields that the server returned. */
export async function recordObject(
  database: Database | Transaction,
  tenantId: number,
  { kind, id, externalId, parentId = null, sent, answered }: RecordedObject,
): Promise<KnownObject> {
  const [sentHash, answeredHash] = [sent ? fieldsHash(sent) : null, answered ? fieldsHash(answered) : null];
  const known = { kind, externalId, parentId, sentHash, answeredHash };
  const [recorded] = await database.run(RECORD_OBJECT, { ...known, tenantId, objectId: id });
  if (!recorded) throw new Error('an insert returned no row');
  return { ...known, ...recorded, id };
}

const DELETE_OBJECTS = query(
  'netbird-delete-objects',
  (db: Tables, value: { tenantId: number; kind: ObjectKind | 'machine'; ids: readonly number[] }) =>
    db
      .deleteFrom('netbirdObject')
      .where('tenantId', '=', value.tenantId)
      .where('kind', '=', value.kind)
      .where('objectId', '=', anyOf(value.ids)),
);

/** Deletes rows of objects that no longer exist. */
export async function deleteObjects(
  database: Database,
  tenantId: number,
  { kind, ids }: { readonly kind: ObjectKind | 'machine'; readonly ids: readonly number[] },
): Promise<void> {
  if (ids.length > 0) await database.run(DELETE_OBJECTS, { tenantId, kind, ids });
}

/** Revokes the peer's setup key after it became useless on the server. */
export async function revokeEnrollment(
  database: Database,
  tenantId: number,
  { peerId, now }: { readonly peerId: number; readonly now: Date },
): Promise<void> {
  await database.run(REVOKE_KEYS_OF_PEER, { tenantId, peerId, now });
}
