import {
  isAbstractType,
  Kind,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** A type whose fields are selected. An object of an unknown type is read as its interface. */
export type Parent = GraphQLObjectType | GraphQLInterfaceType;

/** A condition as a JavaScript expression over `values`, the variables; empty: always. Source: `@skip` and `@include` */
type Guard = string;

const NEVER: Guard = 'false';

export interface GuardedSet {
  readonly set: SelectionSetNode;
  readonly guard: Guard;
}

/** A field of the response, merged from all selections with its key. */
export interface ResponseField {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
  readonly guard: Guard;
  readonly sets: readonly GuardedSet[];
}

/** Collects the fields of selections, in the order of the response. Source: GraphQL, CollectFields */
export class FieldCollector {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {}

  /** Returns the fields that the selections have on an object of this type. */
  collect(type: Parent, sets: readonly GuardedSet[]): ResponseField[] {
    const found = new Map<string, GuardedNode[]>();
    for (const { set, guard } of sets) for (const selection of set.selections) this.add(type, selection, guard, found);
    return [...found].map(([key, nodes]) => responseField(key, nodes));
  }

  private add(type: Parent, selection: SelectionNode, outer: Guard, found: Map<string, GuardedNode[]>): void {
    const guard = guardOf(selection.directives, outer);
    if (guard === undefined) return;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      found.set(key, [...(found.get(key) ?? []), { node: selection, guard }]);
    } else {
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
      if (!fragment || !this.applies(fragment.typeCondition?.name.value, type)) return;
      for (const child of fragment.selectionSet.selections) this.add(type, child, guard, found);
    }
  }

  private applies(condition: string | undefined, type: Parent): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wanted = this.schema.getType(condition);
    return isAbstractType(wanted) && this.schema.isSubType(wanted, type);
  }
}

interface GuardedNode {
  readonly node: FieldNode;
  readonly guard: Guard;
}

function responseField(key: string, nodes: readonly GuardedNode[]): ResponseField {
  const [first] = nodes;
  if (!first) throw new Error(`the field ${key} has no selection`);
  const isAlways = nodes.some(({ guard }) => guard === '');
  const isOne = nodes.length === 1;
  const sets = nodes.flatMap(({ node, guard }) =>
    node.selectionSet ? [{ set: node.selectionSet, guard: isOne ? '' : guard }] : [],
  );
  const guards = new Set(nodes.map(({ guard }) => guard));
  return {
    key,
    name: first.node.name.value,
    nodes: nodes.map(({ node }) => node),
    guard: isAlways ? '' : [...guards].join(' || '),
    sets,
  };
}

/** Adds the conditions of the directives to the outer ones. Returns undefined if the selection is never included. */
function guardOf(directives: readonly DirectiveNode[] = [], outer: Guard): Guard | undefined {
  const conditions = [outer, ...directives.map(conditionOf)].filter((condition) => condition !== '');
  if (conditions.includes(NEVER)) return undefined;
  return conditions.length > 1 ? `(${conditions.join(' && ')})` : (conditions[0] ?? '');
}

function conditionOf({ name, arguments: [argument] = [] }: DirectiveNode): Guard {
  const isIncluded = name.value === 'include';
  if (!argument || (!isIncluded && name.value !== 'skip')) return '';
  const { value } = argument;
  if (value.kind === Kind.VARIABLE) return `${isIncluded ? '' : '!'}values[${JSON.stringify(value.name.value)}]`;
  return value.kind === Kind.BOOLEAN && value.value !== isIncluded ? NEVER : '';
}
