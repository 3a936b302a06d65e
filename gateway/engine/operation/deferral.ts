import { Kind, valueFromASTUntyped, type DirectiveNode, type InlineFragmentNode, type SelectionNode } from 'graphql';
import type { Variables } from '../execution.js';

/** The directive that defers a fragment. */
export const DEFER = 'defer';

/** A fragment that is answered after the rest. */
export interface DeferredFragment {
  /** Given by the client. */
  readonly label: string | undefined;
  readonly selections: readonly SelectionNode[];
}

/** Decides which fragments of an operation are deferred, and gives them ids: clients may leave out labels, or use one twice. */
export class Deferral {
  /** By id. */
  readonly fragments: DeferredFragment[] = [];

  /** @param values the coerced variables; only those of conditions are used */
  constructor(private readonly values: Variables) {}

  isDeferred(selection: SelectionNode): boolean {
    const directive = deferOf(selection);
    return directive !== undefined && argumentOf(directive, 'if', this.values) !== false;
  }

  /** Returns the fragment with `@defer`, labelled with an id instead of the client's label. */
  defer(selection: SelectionNode, fragment: InlineFragmentNode): InlineFragmentNode {
    const directive = deferOf(selection);
    const label = directive && argumentOf(directive, 'label', {});
    const { selections } = fragment.selectionSet;
    const id = this.fragments.push({ label: typeof label === 'string' ? label : undefined, selections }) - 1;
    return { ...fragment, directives: [directiveOf(String(id))] };
  }
}

function deferOf({ directives }: SelectionNode): DirectiveNode | undefined {
  return directives?.find(({ name }) => name.value === DEFER);
}

function argumentOf(directive: DirectiveNode, name: string, values: Variables): unknown {
  const node = directive.arguments?.find((argument) => argument.name.value === name)?.value;
  return node && valueFromASTUntyped(node, { ...values });
}

function directiveOf(id: string): DirectiveNode {
  const value = { kind: Kind.STRING, value: id } as const;
  const label = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'label' }, value } as const;
  return { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: DEFER }, arguments: [label] };
}

/** Returns the id of a deferred fragment in a normalized operation; undefined for other selections. */
export function deferredId(selection: SelectionNode): number | undefined {
  const directive = selection.kind === Kind.INLINE_FRAGMENT ? deferOf(selection) : undefined;
  return directive && Number(argumentOf(directive, 'label', {}));
}
