import type { ObjectKind } from './actual.rules.js';

/** The input for a tenant's objects on a NetBird server. */
export interface TenantGraph {
  readonly tenantId: number;
  /** The prefix of the names of its objects. */
  readonly prefix: string;
  /** Increases with every change of the graph. */
  readonly revision: number;
  readonly groups: readonly { readonly id: number; readonly label: string }[];
  readonly peers: readonly { readonly id: number; readonly groups: readonly number[] }[];
  /** Peers whose setup key a machine may still use. */
  readonly openKeys: readonly number[];
  readonly networks: readonly { readonly id: number; readonly name: string; readonly description: string | null }[];
  readonly resources: readonly DesiredResource[];
  readonly routers: readonly DesiredRouter[];
  readonly policies: readonly DesiredPolicy[];
}

interface DesiredResource {
  readonly id: number;
  readonly networkId: number;
  readonly name: string;
  readonly address: string;
  readonly enabled: boolean;
  readonly groups: readonly number[];
}

interface DesiredRouter {
  readonly id: number;
  readonly networkId: number;
  readonly peerId: number;
  readonly masquerade: boolean;
  readonly metric: number;
  readonly enabled: boolean;
}

interface DesiredPolicy {
  readonly id: number;
  readonly name: string;
  readonly sourceGroupId: number;
  readonly destGroupId: number;
  readonly protocol: string;
  /** As `80` or `8000-8100`. */
  readonly ports: readonly string[];
  readonly bidirectional: boolean;
  readonly action: string;
  readonly enabled: boolean;
}

/** An object as it should be on the server. */
export interface DesiredObject {
  readonly kind: ObjectKind;
  readonly id: number;
  readonly parentId: string | null;
  /** The fields that the platform manages, in the format of requests. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the server's id of a platform object; undefined if it has none yet. */
export type ExternalIdOf = (kind: ObjectKind | 'machine', id: number) => string | undefined;

/** The unique prefix of the names of a tenant’s objects. @param installation the prefix of all tenants */
export function tenantPrefix(installation: string, tenantId: number): string {
  return `${installation}-${tenantId}-`;
}

/** The name of a peer’s own group and of its setup key. Labels of other groups contain no colon. */
export function peerName(prefix: string, peerId: number): string {
  return `${prefix}peer:${peerId}`;
}

/** The peer of a group or setup key with this name; undefined if none. */
export function peerOfName(name: string): number | undefined {
  const [, id] = /-peer:(\d{1,10})$/.exec(name) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The ids of all objects of a kind in the graph. */
export function graphIds(kind: ObjectKind, graph: TenantGraph): ReadonlySet<number> {
  const all = {
    group: graph.groups,
    peer: graph.peers,
    network: graph.networks,
    resource: graph.resources,
    router: graph.routers,
    policy: graph.policies,
    key: graph.openKeys.map((id) => ({ id })),
  };
  return new Set(all[kind].map(({ id }) => id));
}

/** The desired objects of a kind; objects that refer to an object without a server id are omitted until it has one. */
export function desiredObjects(kind: ObjectKind, graph: TenantGraph, externalIdOf: ExternalIdOf): DesiredObject[] {
  return DESIRED[kind](graph, externalIdOf).map((object) => ({ kind, parentId: null, ...object }));
}

type DesiredEntry = Omit<DesiredObject, 'kind' | 'parentId'> & { readonly parentId?: string };

const DESIRED: Readonly<Record<ObjectKind, (graph: TenantGraph, externalIdOf: ExternalIdOf) => DesiredEntry[]>> = {
  peer: ({ prefix, peers }, externalIdOf) =>
    peers.map(({ id }) => {
      const machine = externalIdOf('machine', id);
      return { id, fields: { name: peerName(prefix, id), peers: machine === undefined ? [] : [machine] } };
    }),
  group: (graph, externalIdOf) => {
    const members = membersByGroup(graph, externalIdOf);
    return graph.groups.map(({ id, label }) => ({
      id,
      fields: { name: graph.prefix + label, peers: members.get(id) ?? [] },
    }));
  },
  network: ({ prefix, networks }) =>
    networks.map(({ id, name, description }) => ({
      id,
      fields: { name: prefix + name, description: description ?? '' },
    })),
  resource: ({ prefix, resources }, externalIdOf) =>
    resources.flatMap(({ id, networkId, name, address, enabled, groups }) => {
      const [parentId, groupIds] = [externalIdOf('network', networkId), complete('group', groups, externalIdOf)];
      if (parentId === undefined || !groupIds) return [];
      const fields = { name: `${prefix}${id}-${name}`, description: '', address, enabled, groups: groupIds };
      return [{ id, fields, parentId }];
    }),
  router: ({ routers }, externalIdOf) =>
    routers.flatMap(({ id, networkId, peerId, masquerade, metric, enabled }) => {
      const [parentId, peerGroups] = [externalIdOf('network', networkId), complete('peer', [peerId], externalIdOf)];
      if (parentId === undefined || !peerGroups) return [];
      return [{ id, fields: { peer_groups: peerGroups, metric, masquerade, enabled }, parentId }];
    }),
  policy: ({ prefix, policies }, externalIdOf) =>
    policies.flatMap((policy) => {
      const sources = complete('group', [policy.sourceGroupId], externalIdOf);
      const destinations = complete('group', [policy.destGroupId], externalIdOf);
      if (!sources || !destinations) return [];
      return [{ id: policy.id, fields: policyFields(policy, prefix, { sources, destinations }) }];
    }),
  key: ({ prefix, peers, openKeys }, externalIdOf) => {
    const groupsOf = new Map(peers.map(({ id, groups }) => [id, groups]));
    return openKeys.flatMap((id) => {
      const own = externalIdOf('peer', id);
      const groups = (groupsOf.get(id) ?? []).flatMap((group) => externalIdOf('group', group) ?? []);
      return own === undefined ? [] : [{ id, fields: keyFields(peerName(prefix, id), [own, ...groups]) }];
    });
  },
};

/** The fields of a usable setup key that puts its machine into these groups. */
export function keyFields(name: string, groups: readonly string[]): DesiredObject['fields'] {
  return { name, revoked: false, auto_groups: groups.toSorted() };
}

function policyFields(
  { id, name, enabled, action, bidirectional, protocol, ports }: DesiredPolicy,
  prefix: string,
  ends: { readonly sources: readonly string[]; readonly destinations: readonly string[] },
): DesiredObject['fields'] {
  const ranges = protocol === 'tcp' || protocol === 'udp' ? ports.map(portRange) : [];
  const rule = { name, enabled, action, bidirectional, protocol };
  return {
    name: `${prefix}${id}-${name}`,
    description: '',
    enabled,
    source_posture_checks: [],
    rules: [{ ...rule, port_ranges: ranges.toSorted((a, b) => a.start - b.start || a.end - b.end), ...ends }],
  };
}

function portRange(ports: string): { start: number; end: number } {
  const [start = ports, end = start] = ports.split('-');
  return { start: Number(start), end: Number(end) };
}

/** The machines of each group as sorted server ids. */
function membersByGroup({ peers }: TenantGraph, externalIdOf: ExternalIdOf): Map<number, string[]> {
  const members = new Map<number, string[]>();
  for (const { id, groups } of peers) {
    const machine = externalIdOf('machine', id);
    if (machine === undefined) continue;
    for (const group of groups) {
      const own = members.get(group);
      if (own) own.push(machine);
      else members.set(group, [machine]);
    }
  }
  for (const own of members.values()) own.sort();
  return members;
}

/** The sorted server ids of these objects; undefined if one is missing. */
function complete(kind: ObjectKind, ids: readonly number[], externalIdOf: ExternalIdOf): string[] | undefined {
  const found = ids.flatMap((id) => externalIdOf(kind, id) ?? []);
  return found.length === ids.length ? found.toSorted() : undefined;
}
