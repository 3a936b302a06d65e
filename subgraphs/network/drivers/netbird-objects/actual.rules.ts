/** Kinds of platform objects on a NetBird server. The kind `peer` is a group that contains one machine. */
export const OBJECT_KINDS = ['group', 'peer', 'network', 'resource', 'router', 'policy', 'key'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

type Json = Readonly<Record<string, unknown>>;

/** An object as read from the server. */
export interface FoundObject {
  readonly kind: ObjectKind;
  readonly externalId: string;
  /** Of the network that a resource or router is in. */
  readonly parentId: string | null;
  /** Routers have none. */
  readonly name: string;
  /** The fields that the platform manages, in a fixed order. */
  readonly fields: Json;
  /** Members of a group that are resources: its own requests name them, ours keep them. */
  readonly members?: unknown;
  /** Of a network: that there are no resources and routers in it. */
  readonly isEmpty?: boolean;
}

/** A machine that joined. */
export interface NetbirdPeer {
  readonly externalId: string;
  readonly isConnected: boolean;
  /** Its IPv4 address in the server’s network; empty: it is not told. */
  readonly ip: string;
  /** Names of the groups it is in. */
  readonly groupNames: readonly string[];
}

/** All that a server keeps, of one moment. */
export interface Findings {
  /** When the reading began. */
  readonly at: Date;
  readonly objects: readonly FoundObject[];
  readonly peers: readonly NetbirdPeer[];
}

/** Reads a machine of `GET /api/peers`. */
export function readPeer(answer: Json): NetbirdPeer {
  return {
    externalId: text(answer.id),
    isConnected: answer.connected === true,
    ip: text(answer.ip),
    groupNames: list(answer.groups).map((group) => text(group.name)),
  };
}

/** Reads an object of one of the lists, or the answer to its creation. @param parentId of its network, where it has one */
export function readObject(kind: ObjectKind, answer: Json, parentId: string | null = null): FoundObject {
  const fields = READERS[kind](answer);
  return { kind, externalId: text(answer.id), parentId, name: text(answer.name), fields, ...besides(kind, answer) };
}

function besides(kind: ObjectKind, { resources, routers }: Json): Pick<FoundObject, 'members' | 'isEmpty'> {
  if (kind === 'group' || kind === 'peer') return { members: resources ?? [] };
  return kind === 'network' ? { isEmpty: isEmptyList(resources) && isEmptyList(routers) } : {};
}

const READERS: Readonly<Record<ObjectKind, (answer: Json) => Json>> = {
  group: readGroup,
  peer: readGroup,
  network: ({ name, description }) => ({ name: text(name), description: text(description) }),
  resource: ({ name, description, address, enabled, groups }) => ({
    name: text(name),
    description: text(description),
    address: text(address),
    enabled: enabled === true,
    groups: ids(groups),
  }),
  router: ({ peer_groups, metric, masquerade, enabled }) => ({
    peer_groups: ids(peer_groups),
    metric: Number(metric),
    masquerade: masquerade === true,
    enabled: enabled === true,
  }),
  policy: ({ name, description, enabled, source_posture_checks, rules }) => ({
    name: text(name),
    description: text(description),
    enabled: enabled === true,
    source_posture_checks: ids(source_posture_checks),
    rules: list(rules).map(readRule),
  }),
  key: ({ name, revoked, auto_groups }) => ({
    name: text(name),
    revoked: revoked === true,
    auto_groups: ids(auto_groups),
  }),
};

function readGroup({ name, peers }: Json): Json {
  return { name: text(name), peers: ids(peers) };
}

function readRule(rule: Json): Json {
  const ranges = [
    ...list(rule.port_ranges).map(({ start, end }) => ({ start: Number(start), end: Number(end) })),
    ...(Array.isArray(rule.ports) ? rule.ports : []).map((port) => ({ start: Number(port), end: Number(port) })),
  ];
  return {
    name: text(rule.name),
    enabled: rule.enabled === true,
    action: text(rule.action),
    bidirectional: rule.bidirectional === true,
    protocol: text(rule.protocol),
    port_ranges: ranges.toSorted((a, b) => a.start - b.start || a.end - b.end),
    sources: ids(rule.sources),
    destinations: ids(rule.destinations),
  };
}

/** The server writes null for a list of none. */
function isEmptyList(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : [];
}

/** Ids in order, of a list of ids or of objects that have one. */
function ids(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => (typeof item === 'string' ? item : text((item as Json | null)?.id))).toSorted();
}
