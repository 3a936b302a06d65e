import type { ObjectKind } from './found.rules.js';

/** What decides how a tenant's network looks at a NetBird server. */
export interface TenantGraph {
  readonly tenantId: number;
  /** What names of its objects begin with. */
  readonly prefix: string;
  /** Grows with every change of the graph. */
  readonly revision: number;
  readonly groups: readonly { readonly id: number; readonly label: string }[];
  readonly peers: readonly { readonly id: number; readonly groups: readonly number[] }[];
  /** Peers whose setup key a machine may still use. */
  readonly openKeys: readonly number[];
  readonly networks: readonly { readonly id: number; readonly name: string; readonly description: string | null }[];
  readonly resources: readonly WantedResource[];
  readonly routers: readonly WantedRouter[];
  readonly policies: readonly WantedPolicy[];
}

interface WantedResource {
  readonly id: number;
  readonly networkId: number;
  readonly name: string;
  readonly address: string;
  readonly groups: readonly number[];
}

interface WantedRouter {
  readonly id: number;
  readonly networkId: number;
  readonly peerId: number;
  readonly masquerade: boolean;
  readonly metric: number;
}

interface WantedPolicy {
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

/** An object as it should be at the server. */
export interface WantedObject {
  readonly kind: ObjectKind;
  readonly id: number;
  readonly parentId: string | null;
  /** What we decide of it, as it is sent. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The server's id of one of our objects; undefined: it has none yet. */
export type ExternalIdOf = (kind: ObjectKind | 'machine', id: number) => string | undefined;

/** What names of a tenant’s objects begin with; no other tenant’s do. @param installation what those of all tenants begin with */
export function tenantPrefix(installation: string, tenantId: number): string {
  return `${installation}-${tenantId}-`;
}

/** The name of a peer’s own group and of its setup key; a group’s label has no colon. */
export function peerName(prefix: string, peerId: number): string {
  return `${prefix}peer:${peerId}`;
}

/** The peer that a group or setup key of this name belongs to; undefined: none. */
export function peerOfName(name: string): number | undefined {
  const [, id] = /-peer:(\d{1,10})$/.exec(name) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The ids of all of a kind that the graph has. */
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

/** The objects of a kind that the graph asks for; those that name an object without an id at the server are left for later. */
export function wantedObjects(kind: ObjectKind, graph: TenantGraph, externalIdOf: ExternalIdOf): WantedObject[] {
  const { prefix } = graph;
  const all = (kindOf: ObjectKind, ids: readonly number[]) => complete(ids.map((id) => externalIdOf(kindOf, id)));
  const parent = (networkId: number) => externalIdOf('network', networkId);
  const object = (id: number, fields: WantedObject['fields'], parentId: string | null = null): WantedObject => ({
    kind,
    id,
    parentId,
    fields,
  });
  switch (kind) {
    case 'peer':
      return graph.peers.map(({ id }) => {
        const machine = externalIdOf('machine', id);
        return object(id, { name: peerName(prefix, id), peers: machine === undefined ? [] : [machine] });
      });
    case 'group': {
      const members = membersByGroup(graph, externalIdOf);
      return graph.groups.map(({ id, label }) => object(id, { name: prefix + label, peers: members.get(id) ?? [] }));
    }
    case 'network':
      return graph.networks.map(({ id, name, description }) =>
        object(id, { name: prefix + name, description: description ?? '' }),
      );
    case 'resource':
      return graph.resources.flatMap(({ id, networkId, name, address, groups }) => {
        const [parentId, groupIds] = [parent(networkId), all('group', groups)];
        if (parentId === undefined || !groupIds) return [];
        const fields = { name: `${prefix}${id}-${name}`, description: '', address, enabled: true, groups: groupIds };
        return [object(id, fields, parentId)];
      });
    case 'router':
      return graph.routers.flatMap(({ id, networkId, peerId, masquerade, metric }) => {
        const [parentId, peerGroups] = [parent(networkId), all('peer', [peerId])];
        if (parentId === undefined || !peerGroups) return [];
        return [object(id, { peer_groups: peerGroups, metric, masquerade, enabled: true }, parentId)];
      });
    case 'policy':
      return graph.policies.flatMap((policy) => {
        const [sources, destinations] = [all('group', [policy.sourceGroupId]), all('group', [policy.destGroupId])];
        return sources && destinations
          ? [object(policy.id, policyFields(policy, prefix, { sources, destinations }))]
          : [];
      });
    case 'key': {
      const groupsOf = new Map(graph.peers.map(({ id, groups }) => [id, groups]));
      return graph.openKeys.flatMap((id) => {
        const own = externalIdOf('peer', id);
        const groups = (groupsOf.get(id) ?? []).flatMap((group) => externalIdOf('group', group) ?? []);
        return own === undefined ? [] : [object(id, keyFields(peerName(prefix, id), [own, ...groups]))];
      });
    }
  }
}

/** A setup key, which puts its machine into these groups, as it should be for as long as it may be used. */
export function keyFields(name: string, groups: readonly string[]): WantedObject['fields'] {
  return { name, revoked: false, auto_groups: groups.toSorted() };
}

function policyFields(
  { id, name, enabled, action, bidirectional, protocol, ports }: WantedPolicy,
  prefix: string,
  ends: { readonly sources: readonly string[]; readonly destinations: readonly string[] },
): WantedObject['fields'] {
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

/** The machines of each group, by the server's ids and in their order. */
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

/** The ids in order, if none is missing. */
function complete(ids: readonly (string | undefined)[]): string[] | undefined {
  const found = ids.filter((id) => id !== undefined);
  return found.length === ids.length ? found.toSorted() : undefined;
}
