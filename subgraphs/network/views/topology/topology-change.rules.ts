import type { Topology, TopologyChange } from './topology.js';

/** The state before the first topology. */
const NOTHING: Pick<Topology, 'nodes' | 'edges'> = { nodes: [], edges: [] };

/** Returns the change between two topologies; the whole graph if there was none before. */
export function changeBetween(before: Topology | undefined, after: Topology): TopologyChange {
  const { nodes, edges } = before ?? NOTHING;
  return {
    revision: after.revision,
    from: before?.revision ?? null,
    isWhole: before === undefined,
    nodes: newOrDifferent(nodes, after.nodes),
    edges: newOrDifferent(edges, after.edges),
    removedNodes: gone(nodes, after.nodes),
    removedEdges: gone(edges, after.edges),
  };
}

/** Caches the change between two topologies for as long as both are referenced. */
export class Changes {
  private readonly known = new WeakMap<Topology, WeakMap<Topology, TopologyChange>>();

  between(before: Topology, after: Topology): TopologyChange {
    const leading = this.known.get(after) ?? new WeakMap<Topology, TopologyChange>();
    this.known.set(after, leading);
    const change = leading.get(before) ?? changeBetween(before, after);
    leading.set(before, change);
    return change;
  }
}

function newOrDifferent<Item extends { id: string }>(before: readonly Item[], after: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  return after.filter((item) => !isSame(known.get(item.id), item));
}

/** Deep equality of plain values; called thousands of times per change. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [ours, theirs] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(ours);
  return names.length === Object.keys(theirs).length && names.every((name) => isSame(ours[name], theirs[name]));
}

function gone(before: readonly { id: string }[], after: readonly { id: string }[]): string[] {
  const left = new Set(after.map(({ id }) => id));
  return before.map(({ id }) => id).filter((id) => !left.has(id));
}
