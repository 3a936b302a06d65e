import { badRequest } from '../../../../kernel/errors.js';
import type { GraphPeer, GraphPolicy, NetworkGraph } from '../../graph/network-graph/network-graph.js';
import { Budget, DestinationAccess } from '../rights/destination-access.rules.js';
import {
  EVERYTHING,
  intersect,
  isEverything,
  isEveryPort,
  isNothing,
  NOTHING,
  rangesOf,
  rightsOf,
  subtract,
  uniteAll,
  type Ports,
  type Rights,
} from '../rights/rights.rules.js';
import { Sources } from '../rights/sources.rules.js';
import { RulesByDestination, type PolicyRule } from '../rights/rules-by-destination.rules.js';
import { destinationsOf, tagged, taggedPolicy, type Destination, type Graphs } from './destinations.rules.js';

/** Traffic from one node to another. */
export interface PlannedPair {
  /** `peer:3`. */
  readonly from: string;
  /** `peer:4` or `resource:5`. */
  readonly to: string;
  readonly protocol: GraphPolicy['protocol'];
  /** Empty: every port. */
  readonly ports: string[];
}

/** Pairs whose access changes: the first of them, and the total number. */
export interface PlannedPairs {
  readonly pairs: PlannedPair[];
  readonly total: number;
}

export interface PolicyPlan {
  readonly opens: PlannedPairs;
  readonly closes: PlannedPairs;
}

const MAX_PAIRS = 500;
/** Maximum number of port ranges in the list; the last pair may exceed it. */
const MAX_RANGES = 50_000;
/** Maximum cost of a plan: less than a second. */
const MAX_STEPS = 3_000_000;
const NO_PAIRS: PlannedPairs = { pairs: [], total: 0 };

/**
 * Returns the pairs that a change of the graph would open and close, ordered by destination. A pair counts once per
 * protocol. @throws BAD_REQUEST if the computation would take too long
 */
export function planDifference(before: NetworkGraph, after: NetworkGraph): PolicyPlan {
  const graphs: Graphs = [tagged(before, 0), tagged(after, 1)];
  const [affected, within] = affectedPolicies(before, after);
  const sources = new Sources(allPeers(graphs));
  const rules = graphs.map(({ policies }) => new RulesByDestination(policies, within));
  const planner = new Planner(rules, sources);
  const peers = after.peers
    .map(({ id }) => ({ id, peerClass: sources.peerClassOf(id) }))
    .toSorted((a, b) => a.id - b.id);
  const plan = {
    opens: { pairs: [], total: 0, room: MAX_RANGES },
    closes: { pairs: [], total: 0, room: MAX_RANGES },
  };
  for (const destination of destinationsOf(graphs)) {
    const groups = new Set(destination.groups.flat(2));
    const from = new Set(affected.flatMap((policy) => sourcesOf(policy, groups)));
    if (from.size === 0) continue;
    const changes = planner.changesAt(destination.groups, from);
    addPairs(plan, changes, { to: destination, peers });
  }
  const [opens, closes] = [plan.opens, plan.closes].map(({ pairs, total }) => ({ pairs, total }));
  return { opens: opens ?? NO_PAIRS, closes: closes ?? NO_PAIRS };
}

/** The peers with their groups in both graphs. */
function allPeers([before, after]: Graphs): GraphPeer[] {
  const groupsBefore = new Map(before.peers.map((peer) => [peer.id, peer.groups]));
  return after.peers.map((peer) => ({ ...peer, groups: [...(groupsBefore.get(peer.id) ?? []), ...peer.groups] }));
}

/** The policies whose sources may gain or lose, and the rights that may. */
function affectedPolicies(before: NetworkGraph, after: NetworkGraph): [GraphPolicy[], Rights] {
  const isSamePlaces =
    JSON.stringify([before.peers, before.resources, before.routers]) ===
    JSON.stringify([after.peers, after.resources, after.routers]);
  const changed = changedPolicies(before.policies, after.policies);
  const affected = isSamePlaces ? changed : [...before.policies, ...after.policies];
  // If nothing else changes, only rights of changed policies can differ.
  const within = isSamePlaces ? uniteAll(changed.map(rightsOf)) : EVERYTHING;
  return [affected.flatMap((policy) => [taggedPolicy(policy, 0), taggedPolicy(policy, 1)]), within];
}

/** The source groups of a policy for a destination. */
function sourcesOf({ sourceGroupId, destGroupId, bidirectional }: GraphPolicy, to: ReadonlySet<number>): number[] {
  const forth = to.has(destGroupId) ? [sourceGroupId] : [];
  return bidirectional && to.has(sourceGroupId) ? [...forth, destGroupId] : forth;
}

function changedPolicies(before: readonly GraphPolicy[], after: readonly GraphPolicy[]): GraphPolicy[] {
  const same = new Set(before.map((policy) => JSON.stringify(policy)));
  const kept = new Set(after.map((policy) => JSON.stringify(policy)));
  return [
    ...before.filter((policy) => !kept.has(JSON.stringify(policy))),
    ...after.filter((policy) => !same.has(JSON.stringify(policy))),
  ];
}

/** Opened and closed rights, by peer class. */
type Changes = ReadonlyMap<number, Change>;

interface Change {
  readonly opens: readonly Part[];
  readonly closes: readonly Part[];
}

type Part = Pick<PlannedPair, 'protocol' | 'ports'>;

/** Compares the access under two sets of policies, once for destinations with the same policies. */
class Planner {
  private readonly accesses = new Map<
    readonly PolicyRule[],
    { readonly number: number; readonly access: DestinationAccess }
  >();
  private readonly cached = new Map<string, Changes>();
  private readonly budget = new Budget(MAX_STEPS);

  constructor(
    /** Before and after. */
    private readonly rules: readonly RulesByDestination[],
    private readonly sources: Sources,
  ) {}

  /** @param groups of each address, before and after; @param from groups of the sources that may be affected */
  changesAt(groups: Destination['groups'], from: ReadonlySet<number>): Changes {
    const [before, after] = this.rules.map((rules, side) =>
      (groups[side] ?? []).map((each) => this.accessAt(rules.at(each))),
    );
    const name = [before, after].map((all) => all?.map(({ number }) => number).join(' ')).join('|');
    const cached = this.cached.get(name) ?? this.compare(before ?? [], after ?? [], from);
    this.cached.set(name, cached);
    return cached;
  }

  private accessAt(rules: readonly PolicyRule[]) {
    const cached = this.accesses.get(rules) ?? {
      number: this.accesses.size,
      access: new DestinationAccess(rules, this.sources),
    };
    this.accesses.set(rules, cached);
    return cached;
  }

  private compare(
    before: readonly AtDestination[],
    after: readonly AtDestination[],
    from: ReadonlySet<number>,
  ): Changes {
    const changes = new Map<number, Change>();
    const alike = new Map<string, Change>();
    for (const peerClass of new Set([...from].flatMap((group) => this.sources.inGroup(group)))) {
      const name = [...before, ...after].map(({ access }) => access.classOf(peerClass)).join(' ');
      const change = alike.get(name) ?? changeOf(this.common(before, peerClass), this.common(after, peerClass));
      alike.set(name, change);
      changes.set(peerClass, change);
    }
    return changes;
  }

  /** The rights that are open at every address. */
  private common(all: readonly AtDestination[], peerClass: number): Rights {
    const rights = all.map(({ access }) => {
      const classId = access.classOf(peerClass);
      if (!this.budget.take(access.costOfClass(classId) + 1))
        throw badRequest('There are too many policies to plan this change.');
      return access.ofClass(classId);
    });
    return rights.reduce(intersect, rights[0] ?? NOTHING);
  }
}

interface AtDestination {
  readonly access: DestinationAccess;
}

function changeOf(old: Rights, next: Rights): Change {
  return { opens: partsOf(subtract(next, old)), closes: partsOf(subtract(old, next)) };
}

function partsOf(rights: Rights): Part[] {
  if (isNothing(rights)) return [];
  if (isEverything(rights)) return [{ protocol: 'all', ports: [] }];
  return [
    ...(rights.tcp.length > 0 ? [{ protocol: 'tcp' as const, ports: portTexts(rights.tcp) }] : []),
    ...(rights.udp.length > 0 ? [{ protocol: 'udp' as const, ports: portTexts(rights.udp) }] : []),
    ...(rights.icmp ? [{ protocol: 'icmp' as const, ports: [] }] : []),
  ];
}

function portTexts(ports: Ports): string[] {
  return isEveryPort(ports) ? [] : rangesOf(ports).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
}

interface PairsTo {
  readonly to: Destination;
  readonly peers: readonly { readonly id: number; readonly peerClass: number }[];
}

interface PairList {
  readonly pairs: PlannedPair[];
  total: number;
  /** Number of port ranges that may still be added. */
  room: number;
}

function addPairs(plan: Record<'opens' | 'closes', PairList>, changes: Changes, { to, peers }: PairsTo): void {
  for (const { id, peerClass } of peers) {
    const change = changes.get(peerClass);
    if (!change || to.except.has(id)) continue;
    for (const way of ['opens', 'closes'] as const) {
      const list = plan[way];
      list.total += change[way].length;
      for (const part of change[way]) addPair(list, { from: `peer:${id}`, to: to.id, ...part });
    }
  }
}

function addPair(list: PairList, pair: PlannedPair): void {
  if (list.pairs.length >= MAX_PAIRS || list.room <= 0) return;
  list.pairs.push(pair);
  list.room -= pair.ports.length;
}
