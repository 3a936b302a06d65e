import { Kind, visit, type ArgumentNode, type DirectiveNode, type SelectionNode } from 'graphql';
import type { SelectedOperation } from './documents.js';
import type { Variables } from '../execution.js';

/** Returns the variables of `@skip` and `@include` in the operation and the fragments that it uses. */
export function conditionsOf({ operation, fragments }: SelectedOperation): readonly string[] {
  const found = new Set<string>();
  const visited = new Set<string>();
  const read = (node: SelectedOperation['operation'] | SelectionNode): void =>
    void visit(node, {
      Directive: (directive) => {
        const value = conditionOf(directive)?.value;
        if (value?.kind === Kind.VARIABLE) found.add(value.name.value);
      },
      FragmentSpread: ({ name }) => {
        if (visited.has(name.value)) return;
        visited.add(name.value);
        for (const selection of fragments.get(name.value)?.selectionSet.selections ?? []) read(selection);
      },
    });
  read(operation);
  return [...found];
}

/** Whether `@skip` and `@include` leave the selection in. */
export function isIncluded({ directives = [] }: SelectionNode, values: Variables): boolean {
  return directives.every((directive) => {
    const value = conditionOf(directive)?.value;
    if (!value) return true;
    const isTrue = value.kind === Kind.VARIABLE ? values[value.name.value] : 'value' in value && value.value;
    return (isTrue === true) === (directive.name.value === 'include');
  });
}

function conditionOf({ name, arguments: [argument] = [] }: DirectiveNode): ArgumentNode | undefined {
  return name.value === 'skip' || name.value === 'include' ? argument : undefined;
}
