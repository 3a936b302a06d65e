import type { Database, Snapshot, Transaction } from '../../../../kernel/database/database.js';
import type { FoundObject, ObjectKind } from './actual.rules.js';
import { fieldsHash, type KnownObject } from './plan.rules.js';
import { tenantPrefix, type TenantGraph, type WantedObject } from './desired.rules.js';

/** A tenant's graph and its known state on the server, from one snapshot. */
export interface TenantState {
  readonly graph: TenantGraph;
  readonly known: readonly KnownObject[];
  /** Peers whose enrollment has begun and not ended: their traces are to be left alone. */
  readonly reserved: ReadonlySet<number>;
  /** The graph_revision that the server was brought to; null: none yet. */
  readonly revision: number | null;
  readonly isLeased: boolean;
  /** When it was last given back by who brought it up to date. */
  readonly endedAt: Date | null;
}

const GROUPS_OF_PEERS = `SELECT peer_id, array_agg(group_id ORDER BY group_id) AS groups FROM network.member WHERE tenant_id = $1 GROUP BY peer_id`;
const GROUPS_OF_RESOURCES = `SELECT resource_id, array_agg(group_id ORDER BY group_id) AS groups FROM network.resource_group WHERE tenant_id = $1 GROUP BY resource_id`;

const GRAPH = `
  SELECT t.id AS "tenantId", t.graph_revision AS revision,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, label FROM network."group" WHERE tenant_id = $1) n) AS groups,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT p.id, coalesce(m.groups, '{}') AS groups FROM network.peer p
              LEFT JOIN (${GROUPS_OF_PEERS}) m ON m.peer_id = p.id WHERE p.tenant_id = $1) n) AS peers,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, name, description FROM network.network WHERE tenant_id = $1) n) AS networks,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT r.id, r.network_id AS "networkId", r.name, r.address, r.enabled, coalesce(m.groups, '{}') AS groups
              FROM network.resource r LEFT JOIN (${GROUPS_OF_RESOURCES}) m ON m.resource_id = r.id
             WHERE r.tenant_id = $1) n) AS resources,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, network_id AS "networkId", peer_id AS "peerId", masquerade, metric, enabled
              FROM network.router WHERE tenant_id = $1) n) AS routers,
         (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
           (SELECT id, name, source_group_id AS "sourceGroupId", dest_group_id AS "destGroupId", protocol, ports,
                   bidirectional, action, enabled FROM network.policy WHERE tenant_id = $1) n) AS policies,
         ARRAY(SELECT peer_id FROM network.enrollment WHERE tenant_id = t.id AND peer_id IS NOT NULL
                AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2) AS "openKeys",
         n.revision AS "doneRevision", coalesce(n.lease_until > $2, false) AS "isLeased", n.ended_at AS "endedAt",
         ARRAY(SELECT o.object_id FROM network.netbird_object o
                WHERE o.tenant_id = t.id AND o.kind = 'peer' AND o.reserved_until > $2
                  AND NOT EXISTS (SELECT FROM network.peer p WHERE p.id = o.object_id)) AS reserved
    FROM network.tenant t LEFT JOIN network.netbird_tenant n ON n.tenant_id = t.id WHERE t.id = $1`;

const KNOWN = `
  SELECT kind, object_id AS id, external_id AS "externalId", parent_id AS "parentId", sent_hash AS "sentHash",
         answered_hash AS "answeredHash", sent_at AS "sentAt"
    FROM network.netbird_object WHERE tenant_id = $1`;

type GraphRow = Omit<TenantGraph, 'prefix'> &
  Pick<TenantState, 'isLeased' | 'endedAt'> & { readonly doneRevision: number | null; readonly reserved: number[] };

/** Whose tenant it is at the server, and which. */
interface TenantName {
  readonly installation: string;
  readonly tenantId: number;
}

/** Reads it all in one snapshot. @throws Error for a tenant that is none */
export function readState(database: Database, { installation, tenantId }: TenantName, now: Date): Promise<TenantState> {
  return database.snapshot(async (snapshot: Snapshot) => {
    const [row] = await snapshot.execute<GraphRow>(GRAPH, [tenantId, now]);
    if (!row) throw new Error(`there is no tenant ${tenantId}`);
    const { doneRevision, isLeased, endedAt, reserved, ...graph } = row;
    const known = await snapshot.execute<KnownObject>(KNOWN, [tenantId]);
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

/** An object with its server id. */
interface RecordedObject {
  readonly kind: ObjectKind | 'machine';
  readonly id: number;
  readonly externalId: string;
  readonly parentId?: string | null;
  readonly sent?: WantedObject['fields'];
  readonly answered?: FoundObject['fields'];
}

const RECORD_OBJECT = {
  name: 'netbird-record-object',
  text: `
    INSERT INTO network.netbird_object
      (tenant_id, kind, object_id, external_id, parent_id, sent_hash, answered_hash, sent_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (tenant_id, kind, object_id) DO UPDATE SET external_id = EXCLUDED.external_id,
      parent_id = EXCLUDED.parent_id, sent_hash = EXCLUDED.sent_hash, answered_hash = EXCLUDED.answered_hash,
      sent_at = EXCLUDED.sent_at`,
};

interface Recording {
  readonly object: RecordedObject;
  readonly now: Date;
  /** What it is part of; undefined: nothing. */
  readonly transaction?: Transaction;
}

/** Keeps the server's id of an object, with what was sent and what the server made of it. */
export async function recordObject(
  database: Database,
  tenantId: number,
  { object, now, transaction }: Recording,
): Promise<KnownObject> {
  const { kind, id, externalId, parentId = null, sent, answered } = object;
  const [sentHash, answeredHash] = [sent ? fieldsHash(sent) : null, answered ? fieldsHash(answered) : null];
  const values = [tenantId, kind, id, externalId, parentId, sentHash, answeredHash, now];
  if (transaction) await transaction.execute(RECORD_OBJECT.text, values);
  else await database.rows(RECORD_OBJECT, values);
  return { kind, id, externalId, parentId, sentHash, answeredHash, sentAt: now };
}

const FORGET = {
  name: 'netbird-forget-objects',
  text: 'DELETE FROM network.netbird_object WHERE tenant_id = $1 AND kind = $2 AND object_id = ANY ($3)',
};

/** Deletes rows of objects that no longer exist. */
export async function forgetObjects(
  database: Database,
  tenantId: number,
  { kind, ids }: { readonly kind: ObjectKind | 'machine'; readonly ids: readonly number[] },
): Promise<void> {
  if (ids.length > 0) await database.rows(FORGET, [tenantId, kind, ids]);
}

const REVOKE_ENROLLMENT = {
  name: 'netbird-revoke-enrollment',
  text: `UPDATE network.enrollment SET revoked_at = $3 WHERE tenant_id = $1 AND peer_id = $2 AND used_at IS NULL AND revoked_at IS NULL`,
};

/** Ends the peer's setup key, which is no use at the server any more. */
export async function revokeEnrollment(
  database: Database,
  tenantId: number,
  { peerId, now }: { readonly peerId: number; readonly now: Date },
): Promise<void> {
  await database.rows(REVOKE_ENROLLMENT, [tenantId, peerId, now]);
}
