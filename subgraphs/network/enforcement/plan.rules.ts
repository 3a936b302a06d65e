import type { GraphPolicy, NetworkGraph } from './graph.js';
import { exactRights } from './inbound.rules.js';
import {
  isEverything,
  isEveryPort,
  isNothing,
  NOTHING,
  rangesOf,
  rightsKey,
  subtract,
  type Ports,
  type Rights,
} from './rights.rules.js';
import { Sources } from './sources.rules.js';
import { holds, spanOf } from './span.rules.js';
import { Terms } from './terms.rules.js';
import { regionsOf } from './territory.rules.js';

/** Traffic from one node to another. */
export interface PlannedPair {
  /** `peer:3`. */
  readonly from: string;
  /** `peer:4` or `resource:5`. */
  readonly to: string;
  readonly protocol: GraphPolicy['protocol'];
  /** None: every port. */
  readonly ports: string[];
}

/** Pairs that begin or cease to be open: the first of them, and how many there are. */
export interface PlannedPairs {
  readonly pairs: PlannedPair[];
  readonly total: number;
}

export interface PolicyPlan {
  readonly opens: PlannedPairs;
  readonly closes: PlannedPairs;
}

const MOST_PAIRS = 500;

interface Destination {
  readonly id: string;
  /** Of each of its addresses. */
  readonly groups: readonly (readonly number[])[];
  /** The peers it does not matter to: itself, or the routers that lead to it. */
  readonly except: ReadonlySet<number>;
}

/** What other policies would open and close, pair by pair. Pairs are counted once a protocol, and listed by destination. */
export function planDifference(graph: NetworkGraph, policies: readonly GraphPolicy[]): PolicyPlan {
  const changed = changedPolicies(graph.policies, policies);
  const groups = new Set(changed.flatMap(({ sourceGroupId, destGroupId }) => [sourceGroupId, destGroupId]));
  const sources = new Sources(graph.peers);
  const [before, after] = [new Terms(graph.policies), new Terms(policies)];
  const peers = graph.peers.map(({ id }) => ({ id, kind: sources.kindOf(id) })).toSorted((a, b) => a.id - b.id);
  const plan = { opens: { pairs: [], total: 0 }, closes: { pairs: [], total: 0 } };
  const known = new Map<string, Changes>();
  for (const destination of destinationsOf(graph)) {
    if (!destination.groups.flat().some((group) => groups.has(group))) continue;
    const name = destination.groups.map((each) => each.join(' ')).join('|');
    const changes =
      known.get(name) ??
      changesOf(
        destination.groups.map((each) => exactRights(before.at(each), sources)),
        destination.groups.map((each) => exactRights(after.at(each), sources)),
        sources,
      );
    known.set(name, changes);
    addPairs(plan, changes, { to: destination, peers });
  }
  return plan;
}

function changedPolicies(before: readonly GraphPolicy[], after: readonly GraphPolicy[]): GraphPolicy[] {
  const same = new Set(before.map((policy) => JSON.stringify(policy)));
  const kept = new Set(after.map((policy) => JSON.stringify(policy)));
  return [
    ...before.filter((policy) => !kept.has(JSON.stringify(policy))),
    ...after.filter((policy) => !same.has(JSON.stringify(policy))),
  ];
}

function destinationsOf(graph: NetworkGraph): Destination[] {
  const regions = new Map(regionsOf(graph).map((region) => [region.cidr, region]));
  const peers = graph.peers
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, groups }) => ({ id: `peer:${id}`, groups: [groups], except: new Set([id]) }));
  const resources = graph.resources
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, cidrs }) => {
      const own = [...regions.values()].filter(({ cidr }) => cidrs.some((each) => isSame(each, cidr)));
      const isLed = own.length > 0 && own.every(({ routers }) => routers.length > 0);
      return {
        id: `resource:${id}`,
        groups: isLed ? own.map(({ groups }) => groups) : [],
        except: new Set(own.flatMap(({ routers }) => routers.map(({ peerId }) => peerId))),
      };
    });
  return [...peers, ...resources];
}

const isSame = (a: string, b: string): boolean => holds(spanOf(a), spanOf(b)) && holds(spanOf(b), spanOf(a));

/** By kind of source: what begins and what ceases. */
interface Changes {
  readonly opens: readonly Part[][];
  readonly closes: readonly Part[][];
}

type Part = Pick<PlannedPair, 'protocol' | 'ports'>;

function changesOf(before: RightsOf[], after: RightsOf[], sources: Sources): Changes {
  const opens: Part[][] = [];
  const closes: Part[][] = [];
  for (const kind of sources.kinds.keys()) {
    const [old, next] = [common(before, kind), common(after, kind)];
    const isEqual = old === next || rightsKey(old) === rightsKey(next);
    opens.push(isEqual ? [] : partsOf(subtract(next, old)));
    closes.push(isEqual ? [] : partsOf(subtract(old, next)));
  }
  return { opens, closes };
}

type RightsOf = (kind: number) => Rights;

/** What is open at every address. */
function common(all: readonly RightsOf[], kind: number): Rights {
  return all.map((of) => of(kind)).reduce((a, b) => subtract(a, subtract(a, b)), all[0]?.(kind) ?? NOTHING);
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
  readonly peers: readonly { readonly id: number; readonly kind: number }[];
}

function addPairs(
  plan: Record<'opens' | 'closes', { pairs: PlannedPair[]; total: number }>,
  changes: Changes,
  { to, peers }: PairsTo,
): void {
  for (const way of ['opens', 'closes'] as const) {
    const list = plan[way];
    for (const { id, kind } of peers) {
      const parts = changes[way][kind] ?? [];
      if (parts.length === 0 || to.except.has(id)) continue;
      list.total += parts.length;
      const room = MOST_PAIRS - list.pairs.length;
      for (const part of parts.slice(0, room)) list.pairs.push({ from: `peer:${id}`, to: to.id, ...part });
    }
  }
}
