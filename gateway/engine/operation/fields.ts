import {
  isAbstractType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** A type whose fields are selected. An object of an unknown type is read as its interface. */
export type Parent = GraphQLObjectType | GraphQLInterfaceType;

/** A field of the response, merged from all selections with its key. */
export interface ResponseField {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/** A deferred fragment, as it was selected. */
interface DeferredSelection {
  /** The fragment, or its spread. */
  readonly selection: InlineFragmentNode | FragmentSpreadNode;
  readonly selectionSet: SelectionSetNode;
}

/** What selections have on an object of one type. */
interface Selected {
  readonly fields: ResponseField[];
  readonly deferred: DeferredSelection[];
}

/** Decides about a selection. */
type Decide = (selection: SelectionNode) => boolean;

/** Stands in a selection without fields, because the planner needs one. The response does not have it. */
export const PLACEHOLDER: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Collects the fields of selections, in the order of the response. Source: GraphQL, CollectFields */
export class FieldCollector {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly isDeferred: Decide,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode> = new Map(),
    private readonly isIncluded: Decide = () => true,
  ) {}

  /** Returns what the selections have on an object of this type. */
  collect(type: Parent, sets: readonly SelectionSetNode[]): Selected {
    const state = { found: new Map<string, FieldNode[]>(), visited: new Set<string>(), deferred: [] };
    for (const set of sets) this.addSet(type, set, state);
    const fields = [...state.found].map(([key, nodes]) => ({ key, nodes, name: nodes[0]?.name.value ?? key }));
    return { fields, deferred: state.deferred };
  }

  private addSet(type: Parent, set: SelectionSetNode, state: CollectorState): void {
    for (const selection of set.selections)
      if (selection !== PLACEHOLDER && this.isIncluded(selection)) this.add(type, selection, state);
  }

  private add(type: Parent, selection: SelectionNode, state: CollectorState): void {
    if (selection.kind === Kind.FIELD) return addField(selection, state.found);
    const isDeferred = this.isDeferred(selection);
    const visited = isDeferred ? new Set<string>() : state.visited;
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.unlessVisited(selection, visited) : selection;
    if (!fragment || !isOfType(this.schema, type, fragment.typeCondition?.name.value)) return;
    const { selectionSet } = fragment;
    if (isDeferred) state.deferred.push({ selection, selectionSet });
    else this.addSet(type, selectionSet, state);
  }

  /** Returns the fragment unless it was visited. */
  private unlessVisited({ name }: FragmentSpreadNode, visited: Set<string>): FragmentDefinitionNode | undefined {
    if (visited.has(name.value)) return undefined;
    visited.add(name.value);
    return this.fragments.get(name.value);
  }
}

function addField(field: FieldNode, found: Map<string, FieldNode[]>): void {
  const key = (field.alias ?? field.name).value;
  const nodes = found.get(key);
  if (nodes) nodes.push(field);
  else found.set(key, [field]);
}

interface CollectorState {
  readonly found: Map<string, FieldNode[]>;
  /** The visited fragments. */
  readonly visited: Set<string>;
  readonly deferred: DeferredSelection[];
}

function isOfType(schema: GraphQLSchema, type: GraphQLNamedType & Parent, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
}
