import type { Json } from '../platform.js';

export type NetbirdKind = 'groups' | 'policies' | 'networks' | 'resources' | 'routers' | 'setup-keys' | 'peers';

/** A stored object: the request with an id. */
export type StoredObject = Json;
export type All = Readonly<Record<NetbirdKind, ReadonlyMap<string, StoredObject>>>;

/** The group with all machines. */
export const ALL_GROUP = 'All';

/** An error response of the server. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Validates a request like the OpenAPI document and the handlers of the server. @throws Refusal */
export const SHAPES: Readonly<Record<NetbirdKind, (all: All, body: Json, id: string | undefined) => void>> = {
  groups: (all, { name, peers = [], resources = [] }, id) => {
    demand(isText(name), 'group name shouldn’t be empty');
    for (const each of all.groups.values())
      if (id === undefined && each.name === name) throw new Refusal(409, `group with name ${name} already exists`);
    demand(all.groups.get(id ?? '')?.name !== ALL_GROUP, 'updating group ALL is not allowed');
    demand(Array.isArray(peers) && peers.every(isText), 'peers are no ids');
    demand(
      resources.every((each: Json) => isText(each.id) && isText(each.type)),
      'resources are no ids',
    );
  },
  policies: (_, { name, enabled, rules }) => {
    demand(isText(name) && typeof enabled === 'boolean', 'policy name shouldn’t be empty');
    demand(Array.isArray(rules) && rules.length > 0, 'policy rules shouldn’t be empty');
    for (const rule of rules) checkRule(rule);
  },
  networks: (_, { name }) => demand(isText(name), 'network name shouldn’t be empty'),
  resources: (all, { name, address, enabled, groups }, id) => {
    demand(isText(name) && isText(address) && typeof enabled === 'boolean', 'resource is incomplete');
    for (const each of all.resources.values()) demand(each.name !== name || each.id === id, `resource ${name} exists`);
    areGroups(all, groups);
  },
  routers: (all, { peer, peer_groups, metric, masquerade, enabled }) => {
    demand(isText(peer) !== (peer_groups ?? []).length > 0, 'either peer or peer_groups');
    areGroups(all, peer_groups ?? []);
    demand(Number.isInteger(metric) && metric >= 1 && metric <= 9999, 'metric is out of range');
    demand(typeof masquerade === 'boolean' && typeof enabled === 'boolean', 'router is incomplete');
  },
  'setup-keys': (all, { name, type, expires_in, auto_groups, usage_limit, revoked }, id) => {
    areGroups(all, auto_groups);
    demand(
      auto_groups.every((group: string) => all.groups.get(group)?.name !== ALL_GROUP),
      'can’t add ‘All’',
    );
    const before = id === undefined ? undefined : all['setup-keys'].get(id);
    if (before) {
      demand(typeof revoked === 'boolean' && name === undefined, 'revoked and auto_groups can be changed');
      return demand(revoked || !before.revoked, 'can’t un-revoke a revoked setup key');
    }
    demand(isText(name) && (type === 'one-off' || type === 'reusable'), 'unknown setup key type');
    demand(Number.isInteger(expires_in) && Number.isInteger(usage_limit), 'setup key is incomplete');
    demand(type !== 'one-off' || usage_limit <= 1, 'usage_limit is not valid for a one-off setup key');
  },
  peers: () => demand(false, 'peers join'),
};

function checkRule(rule: Json): void {
  const { name, enabled, action, bidirectional, protocol, ports = [], port_ranges = [], sources, destinations } = rule;
  demand(isText(name) && typeof enabled === 'boolean' && typeof bidirectional === 'boolean', 'rule is incomplete');
  demand(['accept', 'drop'].includes(action), 'unknown action type');
  demand(['all', 'tcp', 'udp', 'icmp', 'netbird-ssh'].includes(protocol), 'unknown protocol type');
  demand([sources, destinations].every(Array.isArray), 'specify either sources or source resources');
  checkPorts(protocol, ports, port_ranges);
}

function checkPorts(protocol: string, ports: Json[], port_ranges: Json[]): void {
  demand(ports.length === 0 || port_ranges.length === 0, 'specify either individual ports or port ranges, not both');
  const count = ports.length + port_ranges.length;
  demand(count === 0 || protocol === 'tcp' || protocol === 'udp', 'for ALL or ICMP protocol ports is not allowed');
  for (const { start, end } of port_ranges)
    demand(Number.isInteger(start) && start >= 1 && end <= 65_535, 'valid port value is in 1..65535 range');
}

function areGroups(all: All, ids: Json): void {
  demand(Array.isArray(ids) && ids.every((id: string) => all.groups.has(id)), 'group not found');
}

function isText(value: Json): boolean {
  return typeof value === 'string' && value !== '';
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new Refusal(422, message);
}

/** Returns an object as responses contain it. */
export function shown(all: All, kind: NetbirdKind, own: StoredObject): Json {
  const { network: _network, ...rest } = own;
  return { ...rest, ...SHOWN[kind](all, own) };
}

const minimum = (all: All) => (id: string) => ({
  id,
  name: all.groups.get(id)?.name,
  peers_count: 0,
  resources_count: 0,
});
const groupsThere = (all: All, ids: string[]) => orNull(ids.filter((id) => all.groups.has(id)).map(minimum(all)));

const SHOWN: Readonly<Record<NetbirdKind, (all: All, own: StoredObject) => Json>> = {
  groups: (all, own) => {
    const resources = [...all.resources.values()].filter(({ groups }) => groups.includes(own.id));
    const peers = own.peers.filter((id: string) => all.peers.has(id));
    return {
      peers: orNull(peers.map((id: string) => ({ id, name: all.peers.get(id)?.name }))),
      resources: orNull(resources.map(({ id }) => ({ id, type: 'host' }))),
      issued: 'api',
    };
  },
  policies: (all, own) => ({
    rules: own.rules.map((rule: Json) => ({
      ...rule,
      id: own.id,
      sources: groupsThere(all, rule.sources),
      destinations: groupsThere(all, rule.destinations),
    })),
  }),
  // The server shows a host as a network with one address.
  resources: (all, own) => ({
    address: /^[\d.]+$/.test(own.address) ? `${own.address}/32` : own.address,
    groups: groupsThere(all, own.groups),
  }),
  'setup-keys': (_, own) => ({
    key: `${own.key.slice(0, 5)}****`,
    valid: own.used_times < own.usage_limit && !own.revoked,
  }),
  peers: (all, own) => {
    const groups = [...all.groups.values()].filter(({ peers }) => peers.includes(own.id));
    return { groups: groups.map(({ id }) => minimum(all)(id)) };
  },
  networks: (all, own) => {
    const inside = (each: 'resources' | 'routers') =>
      [...all[each].values()].filter(({ network }) => network === own.id).map(({ id }) => id);
    return { routers: inside('routers'), resources: orNull(inside('resources')), policies: [] };
  },
  routers: (_, own) => ({ peer: own.peer ?? '' }),
};

/** Go encodes an empty list as null. */
function orNull(list: Json[]): Json[] | null {
  return list.length > 0 ? list : null;
}
