import type {
  FoundAddress,
  GraphPolicy,
  GraphResource,
  NetworkGraph,
} from '../../../subgraphs/network/graph/network-graph/network-graph.js';

/** Returns a seeded pseudo-random generator of integers from 0 to bound - 1. */
export function seeded(seed: number): (bound: number) => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

type Random = (bound: number) => number;

const pick = <Item>(random: Random, items: readonly [Item, ...Item[]]): Item => items[random(items.length)] ?? items[0];
const someGroups = (random: Random, most: number): number[] => [
  ...new Set(Array.from({ length: 1 + random(most) }, () => 1 + random(6))),
];

export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: random(2 ** 31) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

const CIDRS: readonly [readonly string[], ...(readonly string[])[]] = [
  ['10.0.0.0/8'],
  ['10.1.0.0/16'],
  ['10.1.2.0/24'],
  ['10.1.2.3/32'],
  ['10.1.2.3/32', '192.168.0.7/32'],
  ['192.168.0.0/24'],
  ['192.168.0.128/25'],
  ['0.0.0.0/0'],
  [],
];

/** Addresses inside and next to the CIDRs above. */
export const OUTSIDE = [
  '10.0.0.1',
  '10.1.0.1',
  '10.1.2.1',
  '10.1.2.3',
  '10.2.0.0',
  '192.168.0.7',
  '192.168.0.200',
  '192.168.1.1',
  '8.8.8.8',
] as const;

const PORTS: readonly [readonly string[], ...(readonly string[])[]] = [
  [],
  ['80'],
  ['22', '443'],
  ['8000-8100'],
  ['1-65535'],
  ['1-21', '23-65535'],
  ['8050-9000', '80'],
];

function anyPolicy(random: Random, id: number): GraphPolicy {
  const protocol = pick(random, ['all', 'tcp', 'udp', 'icmp', 'tcp', 'all'] as const);
  return {
    id,
    name: `policy-${id}`,
    sourceGroupId: 1 + random(7),
    destGroupId: 1 + random(7),
    protocol,
    ports: protocol === 'tcp' || protocol === 'udp' ? pick(random, PORTS) : [],
    bidirectional: random(2) === 0,
    action: random(3) === 0 ? 'drop' : 'accept',
    enabled: random(6) !== 0,
  };
}

/** Addresses that peers can report for a name: inside a resource, next to one, or of the overlay. */
export const FINDINGS = ['10.1.2.3', '10.1.2.1', '10.2.0.0', '192.168.0.7', '8.8.8.8', '100.64.8.77'] as const;

/** A name with random reports of random peers, true or false. Most of these peers are routers. */
function anyName(random: Random, id: number, peers: readonly number[]): GraphResource {
  const found = Array.from({ length: random(6) }, () => ({
    peerId: peers[random(peers.length)] ?? 10,
    address: pick(random, FINDINGS),
    place: random(2 ** 31),
  }));
  const isFirst = (one: FoundAddress, i: number, all: readonly FoundAddress[]) =>
    all.findIndex(({ peerId, address }) => peerId === one.peerId && address === one.address) === i;
  return {
    id,
    networkId: 1 + random(3),
    groups: someGroups(random, 3),
    cidrs: [],
    name: `n${id}.test`,
    found: found.filter(isFirst),
  };
}

/** A small random graph with all special cases: overlaps, empty groups, equal routers, false names. */
export function anyGraph(seed: number): NetworkGraph {
  const random = seeded(seed);
  const graph = randomGraph(random);
  const peers = [...graph.routers.map(({ peerId }) => peerId), 10, 11];
  const names = Array.from({ length: random(5) }, (_, i) => anyName(random, 2000 + i, peers));
  return { ...graph, resources: [...graph.resources, ...names] };
}

function randomGraph(random: Random): NetworkGraph {
  const count = 2 + random(9);
  return {
    addressRange: '100.64.8.0/24',
    peers: Array.from({ length: count }, (_, i) => ({
      id: 10 + i,
      label: `vm-${i}`,
      ip: `100.64.8.${11 + i + (random(2) === 0 ? 0 : 100)}`,
      groups: someGroups(random, 4),
    })),
    policies: Array.from({ length: 1 + random(10) }, (_, i) => anyPolicy(random, 100 + i)),
    resources: Array.from({ length: random(6) }, (_, i) => ({
      id: 1000 + i,
      networkId: 1 + random(3),
      groups: someGroups(random, 3),
      cidrs: pick(random, CIDRS),
    })),
    routers: Array.from({ length: random(5) }, (_, i) => ({ networkId: 1 + (i % 3), peerId: 10 + random(count) }))
      .filter((router, i, all) => all.findIndex((other) => sameRouter(other, router)) === i)
      .map((router, i) => ({
        id: 500 + i,
        ...router,
        masquerade: random(2) === 0,
        metric: pick(random, [1, 1, 9999]),
      })),
  };
}

const sameRouter = (a: { networkId: number; peerId: number }, b: { networkId: number; peerId: number }): boolean =>
  a.networkId === b.networkId && a.peerId === b.peerId;
