import type { Database } from '../../../../kernel/database/database.js';
import type { Snapshot } from '../../../../kernel/database/in-transaction.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { checkName } from '../../name.rules.js';
import { groupLabels, ownPolicy } from '../../graph/policy/policy.actions.js';
import { POLICY_COLUMNS } from '../../graph/policy/policy.js';
import { applyPolicyInput, DEFAULT_TERMS, type PolicyInput } from '../../graph/policy/policy.rules.js';
import type { NetworkContext } from '../../services.js';
import { notProvisioned, tenantOf } from '../../graph/tenant/tenant.actions.js';
import type { CompileScheduler } from '../../compile/workers/compile-scheduler.js';
import { loadGraph } from '../../graph/network-graph/network-graph.actions.js';
import type { GraphPolicy, NetworkGraph } from '../../graph/network-graph/network-graph.js';
import type { PolicyPlan, Reachability } from './reachability.js';
import { decide, type Place, type Question } from '../../compile/reachability/reachability.rules.js';
import type { CachedReachabilityGraph, ReachabilityGraphCache } from './reachability-cache.js';
import { parseGraph } from '../../graph/network-graph/network-graph.rules.js';

/** Whether packets from one node of the viewer's topology reach another. @throws FORBIDDEN until provisioned, BAD_REQUEST */
export async function decideReachability(
  { database, services }: Pick<NetworkContext, 'database' | 'services'>,
  viewer: UserViewer,
  { from, to, ...question }: Question & { readonly from: string; readonly to: string },
): Promise<Reachability> {
  checkPort(question);
  const { graph, policies } = await readReachabilityGraph(database, services.reachabilityGraphs, viewer);
  const places = [placeIn(graph, from, 'from'), placeIn(graph, to, 'to')] as const;
  const { isReachable, policyId, reason } = decide(graph, ...places, question);
  return { reachable: isReachable, policy: (policyId !== undefined && policies.get(policyId)) || null, reason };
}

const REVISION_OF_USER = query('graph-revision-of-user', (db: Tables, value: { userId: number }) =>
  db.selectFrom('tenant').select(['id', 'graphRevision as revision']).where('userId', '=', value.userId),
);

const POLICIES_OF_TENANT = query('policies-of-tenant', (db: Tables, value: { tenantId: number }) =>
  db.selectFrom('policy').select(POLICY_COLUMNS).where('tenantId', '=', value.tenantId),
);

async function readReachabilityGraph(
  database: Database,
  kept: ReachabilityGraphCache,
  { userId }: UserViewer,
): Promise<CachedReachabilityGraph> {
  const [tenant] = await database.run(REVISION_OF_USER, { userId });
  if (!tenant) throw notProvisioned();
  const known = kept.get(tenant.id);
  if (known?.revision === tenant.revision) return known;
  const [{ text, graphRevision }, policies] = await database.snapshot(async (snapshot) => [
    await loadGraph(snapshot, tenant.id),
    await snapshot.run(POLICIES_OF_TENANT, { tenantId: tenant.id }),
  ]);
  const byId = new Map(policies.map((policy) => [policy.id, policy]));
  const read = { revision: graphRevision, size: text.length, graph: parseGraph(text), policies: byId };
  kept.set(tenant.id, read);
  return read;
}

function checkPort({ protocol, port }: Question): void {
  if (port === undefined) return;
  if (protocol === 'all' || protocol === 'icmp') throw badRequest(`\`port\` cannot be used with \`${protocol}\`.`);
  if (port < 1 || port > 65_535) throw badRequest('`port` must be 1 to 65535.');
}

function placeIn({ peers, resources }: NetworkGraph, node: string, field: string): Place {
  const [, kind, digits] = /^(peer|resource):([1-9]\d{0,9})$/.exec(node) ?? [];
  const id = Number(digits);
  if (kind === 'peer' && peers.some((peer) => peer.id === id)) return { kind, id };
  if (kind === 'resource' && resources.some((resource) => resource.id === id)) return { kind, id };
  throw badRequest(`\`${field}\` is not one of your peers or resources, like \`peer:3\` or \`resource:4\`.`);
}

/** A policy change to plan. */
export interface PolicyProposal {
  /** The policy to change or delete; undefined for a new policy. */
  readonly id: number | undefined;
  readonly input: PolicyInput;
  readonly isDeletion: boolean;
}

/**
 * The traffic that a change of the viewer's policies would allow and block. @throws FORBIDDEN until provisioned, the
 * errors of the change itself, BAD_REQUEST and UNAVAILABLE for a graph that takes too long, RATE_LIMITED
 */
export async function planPolicy(
  { database, compiler }: { readonly database: Database; readonly compiler: CompileScheduler },
  viewer: UserViewer,
  proposal: PolicyProposal,
): Promise<PolicyPlan> {
  const tenant = await tenantOf(database, viewer);
  if (proposal.isDeletion && proposal.id === undefined) throw badRequest('`delete` needs the `id` of a policy.');
  const [{ text: graph }, added] = await database.snapshot(async (snapshot) => [
    await loadGraph(snapshot, tenant.id),
    await proposed(snapshot, tenant.id, proposal),
  ]);
  const size = { tenantId: tenant.id, size: graph.length };
  const { opens, closes } = await compiler.work(size, (threads) =>
    threads.plan({ graph, after: { without: proposal.id, added } }),
  );
  return { opens: opens.pairs, closes: closes.pairs, opensTotal: opens.total, closesTotal: closes.total };
}

async function proposed(
  snapshot: Snapshot,
  tenantId: number,
  { id, input, isDeletion }: PolicyProposal,
): Promise<GraphPolicy | undefined> {
  const before = id === undefined ? undefined : await ownPolicy(snapshot, tenantId, id);
  if (isDeletion) return undefined;
  const groups = {
    sourceGroupId: groupOf('source_group', input.sourceGroupId, before?.sourceGroupId),
    destGroupId: groupOf('dest_group', input.destGroupId, before?.destGroupId),
  };
  const terms = applyPolicyInput(before ?? DEFAULT_TERMS, input);
  await groupLabels(snapshot, tenantId, groups);
  const name = input.name == null ? before?.name : checkName(input.name);
  return { ...terms, ...groups, id: id ?? 0, name: name ?? '' };
}

function groupOf(field: string, input: number | null | undefined, before: number | undefined): number {
  const id = input ?? before;
  if (id === undefined) throw badRequest(`\`${field}\` is missing.`);
  return id;
}
