import type { Context } from '../../../kernel/context.js';
import type { Database } from '../../../kernel/database.js';
import { requireUser, type UserViewer } from '../../../kernel/viewer.js';
import { GROUP_COLUMNS, type Group } from '../group/group.js';
import { POLICY_COLUMNS, type Policy } from '../policy/policy.js';
import { notProvisioned, tenantOf, topologyTopic } from '../tenant/tenant.actions.js';
import type { Topology, TopologyChange } from './topology.js';
import { changeBetween, groupNode, policyEdge } from './topology.rules.js';

// One statement, one snapshot: no edge without its nodes, and the revision that belongs to both.
const TOPOLOGY_OF_USER = {
  name: 'topology-of-user',
  text: `
    SELECT t.revision,
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT ${GROUP_COLUMNS} FROM network.group g WHERE g.tenant_id = t.id) n) AS groups,
           (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM
              (SELECT ${POLICY_COLUMNS} FROM network.policy p WHERE p.tenant_id = t.id) e) AS policies
      FROM network.tenant t WHERE t.user_id = $1`,
};

/** The viewer's graph. @throws FORBIDDEN until the network is provisioned */
export async function readTopology(database: Database, viewer: UserViewer): Promise<Topology> {
  const [graph] = await database.rows<{ revision: number; groups: Group[]; policies: Policy[] }>(TOPOLOGY_OF_USER, [
    viewer.userId,
  ]);
  if (!graph) throw notProvisioned();
  return { revision: graph.revision, nodes: graph.groups.map(groupNode), edges: graph.policies.map(policyEdge) };
}

/** The whole graph, then each change after its commit; changes that come while the reader is busy arrive as one. */
export async function* topologyChanges({ viewer, database, events, signal }: Context): AsyncGenerator<TopologyChange> {
  const user = requireUser(viewer);
  const { id } = await tenantOf(database, user);
  const announced = events.subscribe([topologyTopic(id).topic], signal);
  let known = await readTopology(database, user);
  yield changeBetween(undefined, known);
  for await (const _ of announced) {
    const next = await readTopology(database, user);
    if (next.revision <= known.revision) continue;
    yield changeBetween(known, next);
    known = next;
  }
}
