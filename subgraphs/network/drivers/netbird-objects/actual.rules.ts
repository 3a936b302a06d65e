/** Kinds of platform objects on a NetBird server. The kind `peer` is a group that contains one machine. */
export const OBJECT_KINDS = ['group', 'peer', 'network', 'resource', 'router', 'policy', 'key'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

type Json = Readonly<Record<string, unknown>>;

/** An object as read from the server. */
export interface ActualObject {
  readonly kind: ObjectKind;
  readonly externalId: string;
  /** The id of the network that contains a resource or router. */
  readonly parentId: string | null;
  /** Routers have none. */
  readonly name: string;
  /** The fields that the platform manages, in a fixed order. */
  readonly fields: Json;
  /** Resources in a group: NetBird sets them by requests for the resource, and updates of the group must keep them. */
  readonly members?: unknown;
  /** Whether a network has no resources and no routers. */
  readonly isEmpty?: boolean;
}

/** A machine that joined. */
export interface NetbirdPeer {
  readonly externalId: string;
  readonly isConnected: boolean;
  /** Its IPv4 address in the server’s network; empty if unknown. */
  readonly ip: string;
  /** Names of its groups. */
  readonly groupNames: readonly string[];
}

/** A snapshot of the server. */
export interface TenantSnapshot {
  /** When reading started, by the clock of PostgreSQL. */
  readonly at: Date;
  readonly objects: readonly ActualObject[];
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

/** Parses an object from a list or from the response to its creation. @param parentId id of its network, if it has one */
export function readObject(kind: ObjectKind, answer: Json, parentId: string | null = null): ActualObject {
  const fields = READERS[kind](answer);
  return { kind, externalId: text(answer.id), parentId, name: text(answer.name), fields, ...kindFields(kind, answer) };
}

function kindFields(kind: ObjectKind, { resources, routers }: Json): Pick<ActualObject, 'members' | 'isEmpty'> {
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

/** The server writes null for an empty list. */
function isEmptyList(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : [];
}

/** Sorted ids from a list of ids or of objects with ids. */
function ids(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => (typeof item === 'string' ? item : text((item as Json | null)?.id))).toSorted();
}
