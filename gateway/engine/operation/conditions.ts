import { Kind, visit, type ArgumentNode, type DirectiveNode, type SelectionNode } from 'graphql';
import { DEFER } from './deferral.js';
import type { SelectedOperation } from './documents.js';
import type { Variables } from '../execution.js';

/** What the compiled form of an operation depends on. */
export interface Conditions {
  /** The variables of `@skip`, `@include` and `@defer`. */
  readonly variables: readonly string[];
  readonly hasDefer: boolean;
}

/** Returns the conditions of the operation and the fragments that it uses. */
export function conditionsOf({ operation, fragments }: SelectedOperation): Conditions {
  const found = new Set<string>();
  const visited = new Set<string>();
  let hasDefer = false;
  const read = (node: SelectedOperation['operation'] | SelectionNode): void =>
    void visit(node, {
      Directive: (directive) => {
        hasDefer ||= directive.name.value === DEFER;
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
  return { variables: [...found], hasDefer };
}

/** Whether `@skip` and `@include` leave the selection in. */
export function isIncluded({ directives = [] }: SelectionNode, values: Variables): boolean {
  return directives.every((directive) => {
    const value = directive.name.value === DEFER ? undefined : conditionOf(directive)?.value;
    if (!value) return true;
    const isTrue = value.kind === Kind.VARIABLE ? values[value.name.value] : 'value' in value && value.value;
    return (isTrue === true) === (directive.name.value === 'include');
  });
}

const CONDITIONAL: ReadonlySet<string> = new Set(['skip', 'include', DEFER]);

function conditionOf({ name, arguments: given = [] }: DirectiveNode): ArgumentNode | undefined {
  return CONDITIONAL.has(name.value) ? given.find((argument) => argument.name.value === 'if') : undefined;
}
