export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Describes each import that is part of a circle between groups, as `a → b: file → file`. */
export function circlesOf(imports: readonly Import[], groupOf: (path: string) => string): string[] {
  const edges = imports
    .map((one) => ({ ...one, source: groupOf(one.from), target: groupOf(one.to) }))
    .filter(({ source, target }) => source !== target);
  const targets = new Map<string, Set<string>>();
  for (const { source, target } of edges) targets.set(source, (targets.get(source) ?? new Set()).add(target));
  const reached = new Map([...targets.keys()].map((group) => [group, reachedFrom(group, targets)]));
  return edges
    .filter(({ source, target }) => reached.get(target)?.has(source))
    .map(({ source, target, from, to }) => `${source} → ${target}: ${from} → ${to}`)
    .toSorted();
}

function reachedFrom(start: string, targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [start];
  for (let group = queue.pop(); group !== undefined; group = queue.pop()) {
    for (const target of targets.get(group) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      queue.push(target);
    }
  }
  return reached;
}
