import type { Json } from './platform.js';

export type NetbirdKind = 'groups' | 'policies' | 'networks' | 'resources' | 'routers' | 'setup-keys' | 'peers';

/** An object as the server keeps it: the request with an id. */
export type Kept = Json;
type All = Readonly<Record<NetbirdKind, ReadonlyMap<string, Kept>>>;

/** What the server refuses. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Checks a request as the OpenAPI and the server's own handlers do. @throws Refusal */
export const SHAPES: Readonly<Record<NetbirdKind, (all: All, body: Json, id: string | undefined) => void>> = {
  groups: (all, { name, peers = [], resources = [] }, id) => {
    demand(isText(name), 'group name shouldn’t be empty');
    for (const each of all.groups.values()) demand(each.name !== name || each.id === id, `group ${name} exists`);
    demand(
      peers.every((peer: string) => all.peers.has(peer)),
      'peer not found',
    );
    demand(
      resources.every((each: Json) => all.resources.has(each.id) && isText(each.type)),
      'resource not found',
    );
  },
  policies: (all, { name, enabled, rules }) => {
    demand(isText(name) && typeof enabled === 'boolean', 'policy name shouldn’t be empty');
    demand(Array.isArray(rules) && rules.length > 0, 'policy rules shouldn’t be empty');
    for (const rule of rules) checkRule(all, rule);
  },
  networks: (_, { name }) => demand(isText(name), 'network name shouldn’t be empty'),
  resources: (all, { name, address, enabled, groups }, id) => {
    demand(isText(name) && isText(address) && typeof enabled === 'boolean', 'resource is incomplete');
    for (const each of all.resources.values()) demand(each.name !== name || each.id === id, `resource ${name} exists`);
    areGroups(all, groups);
  },
  routers: (all, { peer, peer_groups, metric, masquerade, enabled }) => {
    demand((peer === undefined) !== (peer_groups === undefined), 'either peer or peer_groups');
    areGroups(all, peer_groups ?? []);
    demand(Number.isInteger(metric) && metric >= 1 && metric <= 9999, 'metric is out of range');
    demand(typeof masquerade === 'boolean' && typeof enabled === 'boolean', 'router is incomplete');
  },
  'setup-keys': (all, { name, type, expires_in, auto_groups, usage_limit }) => {
    demand(isText(name) && (type === 'one-off' || type === 'reusable'), 'unknown setup key type');
    demand(Number.isInteger(expires_in) && Number.isInteger(usage_limit), 'setup key is incomplete');
    areGroups(all, auto_groups);
  },
  peers: () => demand(false, 'peers join'),
};

function checkRule(all: All, rule: Json): void {
  const { name, enabled, action, bidirectional, protocol, ports = [], port_ranges = [], sources, destinations } = rule;
  demand(isText(name) && typeof enabled === 'boolean' && typeof bidirectional === 'boolean', 'rule is incomplete');
  demand(['accept', 'drop'].includes(action), 'unknown action type');
  demand(['all', 'tcp', 'udp', 'icmp', 'netbird-ssh'].includes(protocol), 'unknown protocol type');
  demand(ports.length === 0 || port_ranges.length === 0, 'specify either individual ports or port ranges, not both');
  const count = ports.length + port_ranges.length;
  demand(count === 0 || protocol === 'tcp' || protocol === 'udp', 'for ALL or ICMP protocol ports is not allowed');
  for (const { start, end } of port_ranges)
    demand(Number.isInteger(start) && start >= 1 && end <= 65_535, 'valid port value is in 1..65535 range');
  areGroups(all, sources);
  areGroups(all, destinations);
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

/** An object as answers show it. */
export function shown(all: All, kind: NetbirdKind, own: Kept): Json {
  const { network, ...rest } = own;
  const minimum = (id: string) => ({ id, name: all.groups.get(id)?.name, peers_count: 0, resources_count: 0 });
  switch (kind) {
    case 'groups': {
      const resources = [...all.resources.values()].filter(({ groups }) => groups.includes(own.id));
      const peers = own.peers.map((id: string) => ({ id, name: all.peers.get(id)?.name }));
      return { ...rest, peers, resources: resources.map(({ id }) => ({ id, type: 'host' })), issued: 'api' };
    }
    case 'policies':
      return {
        ...rest,
        rules: own.rules.map((rule: Json) => ({
          ...rule,
          id: own.id,
          sources: rule.sources.map(minimum),
          destinations: rule.destinations.map(minimum),
        })),
      };
    case 'resources':
      // As the server does it: a host is shown as a network of one address.
      return {
        ...rest,
        address: /^[\d.]+$/.test(own.address) ? `${own.address}/32` : own.address,
        groups: own.groups.map(minimum),
      };
    case 'setup-keys':
      return { ...rest, key: `${own.key.slice(0, 5)}****`, valid: own.used_times < own.usage_limit && !own.revoked };
    case 'peers': {
      const groups = [...all.groups.values()].filter(({ peers }) => peers.includes(own.id));
      return { ...rest, groups: groups.map(({ id }) => minimum(id)) };
    }
    case 'networks':
    case 'routers':
      return rest;
  }
}
