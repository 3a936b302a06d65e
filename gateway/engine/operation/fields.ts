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

/** Stands in a selection without fields, because the planner needs one. The response does not have it. */
export const PLACEHOLDER: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Collects the fields of selections, in the order of the response. Source: GraphQL, CollectFields */
export class FieldCollector {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode> = new Map(),
    private readonly isIncluded: (selection: SelectionNode) => boolean = () => true,
  ) {}

  /** Returns the fields that the selections have on an object of this type. */
  collect(type: Parent, sets: readonly SelectionSetNode[]): ResponseField[] {
    const found = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const set of sets) this.addSet(type, set, { found, visited });
    return [...found].map(([key, nodes]) => ({ key, nodes, name: nodes[0]?.name.value ?? key }));
  }

  private addSet(type: Parent, set: SelectionSetNode, collection: Collection): void {
    for (const selection of set.selections)
      if (selection !== PLACEHOLDER && this.isIncluded(selection)) this.add(type, selection, collection);
  }

  private add(type: Parent, selection: SelectionNode, collection: Collection): void {
    if (selection.kind === Kind.FIELD) return addField(selection, collection.found);
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.firstOf(selection, collection) : selection;
    if (!fragment || !isOfType(this.schema, type, fragment.typeCondition?.name.value)) return;
    this.addSet(type, fragment.selectionSet, collection);
  }

  /** Returns the fragment unless it is in already. */
  private firstOf({ name }: FragmentSpreadNode, { visited }: Collection): FragmentDefinitionNode | undefined {
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

interface Collection {
  readonly found: Map<string, FieldNode[]>;
  /** The fragments that are in already. */
  readonly visited: Set<string>;
}

function isOfType(schema: GraphQLSchema, type: GraphQLNamedType & Parent, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const wanted = schema.getType(condition);
  return isAbstractType(wanted) && schema.isSubType(wanted, type);
}
