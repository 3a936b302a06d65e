import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query, type Query } from '../../../../kernel/database/query.js';
import { inState } from '../../../../kernel/events/sources/states.js';
import { requireUser, type UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import type { StoredResource } from '../../graph/network-graph/network-graph.rules.js';
import { peerStatus } from '../../graph/peer/peer.rules.js';
import { isStale } from '../../graph/peer/staleness.actions.js';
import { FOUND_OF_RESOURCES } from '../../graph/lookup/lookup.js';
import { countedAddresses, shownResource } from '../../graph/resource/enforcement.rules.js';
import type { NetworkContext } from '../../services.js';
import { notProvisioned, tenantOf, topologyTopic } from '../../graph/tenant/tenant.actions.js';
import { buildGraph, type GraphParts } from './topology-graph.rules.js';
import type { Topology, TopologyChange } from './topology.js';
import { changeBetween } from './topology-change.rules.js';

// One statement, one snapshot: no edge without its nodes, and the revision that belongs to all. Groups are gathered per kind,
// so that no row costs a query of its own.
const GRAPH = sql`
    SELECT t.id, t.revision, t.address_range::text AS "addressRange",
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT g.id, g.label, g.is_default AS "isDefault", g.created_at AS "createdAt" FROM network.group g WHERE g.tenant_id = t.id AND NOT g.is_infra) n) AS groups,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT p.id, p.label, host(p.ip) AS ip, coalesce(m.groups, '{}') AS groups, p.joined_at AS "joinedAt",
                      p.last_seen AS "lastSeen", p.config_hash AS "configHash", p.config_changed_at AS "configChangedAt",
                      p.applied_hash AS applied, p.is_published_stale AS "isPublishedStale"
                 FROM network.peer p
                 LEFT JOIN (SELECT m.peer_id, array_agg(m.group_id ORDER BY m.group_id) AS groups
                              FROM network.member m JOIN network.group g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
                             WHERE m.tenant_id = t.id AND NOT g.is_infra GROUP BY m.peer_id) m ON m.peer_id = p.id
                WHERE p.tenant_id = t.id) n) AS peers,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT r.id, r.network_id AS "networkId", r.name, r.address, r.kind, r.enabled, coalesce(m.groups, '{}') AS groups, f.found
                 FROM network.resource r
                 LEFT JOIN (SELECT m.resource_id, array_agg(m.group_id ORDER BY m.group_id) AS groups
                              FROM network.resource_group m WHERE m.tenant_id = t.id GROUP BY m.resource_id) m
                        ON m.resource_id = r.id
                 LEFT JOIN (${FOUND_OF_RESOURCES} WHERE f.tenant_id = t.id GROUP BY f.resource_id) f ON f.resource_id = r.id
                WHERE r.tenant_id = t.id) n) AS resources,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT o.id, o.network_id AS "networkId", o.peer_id AS "peerId", o.masquerade, o.metric, o.enabled,
                      o.created_at AS "createdAt" FROM network.router o WHERE o.tenant_id = t.id) n) AS routers,
           (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM
              (SELECT p.id, p.name, p.source_group_id AS "sourceGroupId", p.dest_group_id AS "destGroupId", p.protocol, p.ports,
                      p.bidirectional, p.action, p.enabled, p.is_managed AS "isManaged", p.created_at AS "createdAt"
                 FROM network.policy p WHERE p.tenant_id = t.id) e) AS policies
      FROM network.tenant t`;

export const GRAPH_OF_USER = query(
  'topology-of-user',
  (_: Tables, { id }: { id: number }) => sql<GraphRow>`${GRAPH} WHERE t.user_id = ${id}`,
);
const GRAPH_OF_TENANT = query(
  'topology-of-tenant',
  (_: Tables, { id }: { id: number }) => sql<GraphRow>`${GRAPH} WHERE t.id = ${id}`,
);

/** The viewer's graph. @throws FORBIDDEN until the network is provisioned */
export async function readTopology(
  { database, services, now }: Pick<NetworkContext, 'database' | 'services' | 'now'>,
  { userId }: UserViewer,
): Promise<Topology> {
  const at = now();
  const known = services.topologyCache.get(userId);
  if (known?.version === (await readVersion(database, { userId }, at))) return known;
  const graph = await readGraph(database, { statement: GRAPH_OF_USER, id: userId }, at);
  if (!graph) throw notProvisioned();
  services.topologyCache.set(userId, graph);
  return graph;
}

// Peers become stale by time alone; found by the same rule, with times in whole milliseconds.
const VERSION_OF_USER = query(
  'topology-version-of-user',
  (_: Tables, { userId, now }: { userId: number; now: Date }) => sql<State>`
    SELECT t.id, t.revision,
           ARRAY(SELECT p.id FROM network.peer p
                  WHERE p.tenant_id = t.id AND (p.joined_at IS NOT NULL AND ${isStale(now)}) <> p.is_published_stale
                  ORDER BY p.id) AS "newlyStale"
      FROM network.tenant t WHERE t.user_id = ${userId}`,
);

/** Returns the version of the viewer's topology. @throws FORBIDDEN until the network is provisioned */
export async function readVersion(database: Database, viewer: Pick<UserViewer, 'userId'>, now: Date): Promise<string> {
  const [row] = await database.run(VERSION_OF_USER, { userId: viewer.userId, now });
  if (!row) throw notProvisioned();
  return versionOf(row);
}

/**
 * Yields the whole graph, then each change after its commit. Subscribers of a tenant share one read. Changes in quick
 * succession are combined, also for a slow subscriber. @throws UNAUTHENTICATED, FORBIDDEN until the network is
 * provisioned, RATE_LIMITED
 */
export async function* topologyChanges(context: NetworkContext): AsyncGenerator<TopologyChange> {
  const { viewer, database, events, services, signal, now } = context;
  const user = requireUser(viewer);
  const leave = await services.watching.enter(`${user.userId}`);
  try {
    const { id } = await tenantOf(database, user);
    const read = () => readGraph(database, { statement: GRAPH_OF_TENANT, id }, now());
    let known: Topology | undefined;
    for await (const next of services.topologies.follow({ topic: topologyTopic(id).topic, events, read, signal })) {
      if (known && next.revision <= known.revision) continue;
      const change = known ? services.topologyChanges.between(known, next) : changeBetween(undefined, next);
      yield inState(change, next.version);
      known = next;
    }
  } finally {
    leave();
  }
}

/** A peer row in JSON; times are strings. */
type PeerJson = Omit<GraphParts['peers'][number], 'status'> & {
  readonly configHash: string | null;
  readonly applied: string | null;
  readonly isPublishedStale: boolean;
} & Readonly<Record<'joinedAt' | 'lastSeen' | 'configChangedAt', string | null>>;

interface GraphRow extends Omit<GraphParts, 'peers' | 'resources'> {
  readonly id: number;
  readonly revision: number;
  readonly addressRange: string;
  readonly peers: readonly PeerJson[];
  readonly resources: readonly (StoredResource & Omit<GraphParts['resources'][number], 'enforced' | 'addresses'>)[];
}

async function readGraph(
  database: Database,
  { statement, id }: { readonly statement: Query<{ id: number }, GraphRow>; readonly id: number },
  now: Date,
): Promise<Topology | undefined> {
  const [row] = await database.run(statement, { id });
  if (!row) return undefined;
  const peers = row.peers.map((peer) => ({ ...peer, status: peerStatus(stateOf(peer), now) }));
  const newlyStale = peers
    .filter(({ status, isPublishedStale }) => (status === 'stale') !== isPublishedStale)
    .map((peer) => peer.id);
  const joined = new Set(row.peers.filter(({ joinedAt }) => joinedAt !== null).map((peer) => peer.id));
  const routers = row.routers.filter(({ enabled, peerId }) => enabled && joined.has(peerId));
  const counted = countedAddresses({ ...row, routers });
  const resources = row.resources.map((resource) => shownResource(resource, counted));
  const { revision } = row;
  return {
    revision,
    version: versionOf({ id: row.id, revision, newlyStale }),
    ...buildGraph({ ...row, peers, resources }),
  };
}

interface State {
  /** Of the tenant. */
  readonly id: number;
  readonly revision: number;
  /** Sorted ids of peers that became stale without a new revision. */
  readonly newlyStale: readonly number[];
}

/** Peers become stale by time alone, without a new revision; then the version changes too. */
function versionOf({ id, revision, newlyStale }: State): string {
  const mark = createHash('sha256').update(newlyStale.join()).digest('hex').slice(0, 16);
  return newlyStale.length > 0 ? `${id}-${revision}-${mark}` : `${id}-${revision}`;
}

function stateOf({ joinedAt, lastSeen, configHash, configChangedAt, applied }: PeerJson) {
  const time = (text: string | null) => (text === null ? null : new Date(text));
  return {
    joinedAt: time(joinedAt),
    lastSeen: time(lastSeen),
    configHash,
    configChangedAt: time(configChangedAt),
    applied,
  };
}
