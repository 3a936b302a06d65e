import type { ConstDirectiveNode, DocumentNode } from 'graphql';
import { fieldsTypes, isJoin, textOf, withTypes } from './join.js';

/**
 * Removes the external fields that these subgraphs have for moved fields only. The planner could ask the subgraph for them:
 * it merges fetches where the type has the field, external or not.
 */
export function withoutUnusedExternals(document: DocumentNode, graphs: ReadonlySet<string>): DocumentNode {
  const used = usedNames(document);
  const isUnused = (field: string) => (directive: ConstDirectiveNode) => {
    const graph = textOf(directive, 'graph') ?? '';
    return graphs.has(graph) && textOf(directive, 'external') === 'true' && !used.get(graph)?.has(field);
  };
  return withTypes(document, (type) => ({
    ...type,
    fields: (type.fields ?? []).map((field) => {
      const { directives = [] } = field;
      const isFieldUnused = isUnused(field.name.value);
      return { ...field, directives: directives.filter((directive) => !isFieldUnused(directive)) };
    }),
  }));
}

/** Returns the names of fields in keys, `@requires` and `@provides`, by subgraph. */
function usedNames(document: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const result = new Map<string, Set<string>>();
  for (const { directives = [], fields = [] } of fieldsTypes(document).values())
    for (const directive of [...directives, ...fields.flatMap((field) => field.directives ?? [])]) {
      if (!isJoin(directive, 'type') && !isJoin(directive, 'field')) continue;
      const sets = ['key', 'requires', 'provides'].flatMap((name) => textOf(directive, name) ?? []);
      const graph = textOf(directive, 'graph') ?? '';
      const names = result.get(graph) ?? new Set();
      result.set(graph, new Set([...names, ...sets.flatMap((set) => set.match(/\w+/g) ?? [])]));
    }
  return result;
}
