import {
  Kind,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
} from 'graphql';
import {
  coordinates,
  fieldsTypes,
  isFieldsType,
  isJoin,
  requiredBy,
  selectionOf,
  textOf,
  withArgument,
  type FieldsType,
  type FieldsTypes,
} from './join.js';
import { isOf, Reach } from './reach.js';

/** Fields of one type in one subgraph, and the name of the virtual subgraph that gets them. */
export interface MovedFields {
  readonly type: string;
  readonly graph: string;
  readonly fields: ReadonlySet<string>;
  readonly to: string;
}

const QUERY = 'Query';
const SEPARATOR = '#';

/** Returns the name of the subgraph that answers for a virtual one. */
export function realSubgraph(name: string): string {
  return name.split(SEPARATOR, 1).join();
}

/**
 * Moves fields to a virtual subgraph of the supergraph. It has the fields, the keys of their type, what they require, and
 * all types that they lead to. The planner can enter it at the keys of this type.
 */
export function moveFields(document: DocumentNode, move: MovedFields): DocumentNode {
  const virtual = new VirtualSubgraph(document, move);
  return { ...document, definitions: document.definitions.map((node) => virtual.change(node)) };
}

class VirtualSubgraph {
  /** The fields of the type that the virtual subgraph has. */
  private readonly own: ReadonlySet<string>;
  private readonly reach: Reach;

  constructor(
    document: DocumentNode,
    private readonly move: MovedFields,
  ) {
    this.own = ownFields(fieldsTypes(document), move);
    this.reach = new Reach(document, move.graph);
    this.reach.addFields(move.type, (field) => this.own.has(field));
  }

  /** Returns the definition with the virtual subgraph. */
  change(node: DefinitionNode): DefinitionNode {
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION) return this.copied(node);
    if (node.kind === Kind.ENUM_TYPE_DEFINITION) return this.changeEnum(node);
    if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
      return { ...this.copied(node), fields: (node.fields ?? []).map((field) => this.copied(field)) };
    if (node.kind === Kind.UNION_TYPE_DEFINITION) return this.reach.has(node.name.value) ? this.copied(node) : node;
    return isFieldsType(node) ? this.changeType(node) : node;
  }

  private changeEnum(node: EnumTypeDefinitionNode): EnumTypeDefinitionNode {
    const values = node.values ?? [];
    if (node.name.value !== 'join__Graph')
      return { ...this.copied(node), values: values.map((value) => this.copied(value)) };
    const added = values
      .filter(({ name }) => name.value === this.move.graph)
      .map((value) => ({
        ...value,
        name: { kind: Kind.NAME, value: this.move.to } as const,
        directives: (value.directives ?? []).map((directive) => this.renamed(directive)),
      }));
    return { ...node, values: [...values, ...added] };
  }

  private changeType(node: FieldsType): FieldsType {
    const name = node.name.value;
    if (name === this.move.type) return this.changeOwner(node);
    if (name === QUERY) return { ...this.copied(node), fields: (node.fields ?? []).map((field) => bound(field, node)) };
    if (!this.reach.has(name)) return node;
    const copied = this.copied(node, (directive) =>
      textOf(directive, 'key') === undefined ? directive : stub(directive),
    );
    return { ...copied, fields: (node.fields ?? []).map((field) => this.copied(field, withoutRequires)) };
  }

  private changeOwner(node: FieldsType): FieldsType {
    const fields = (node.fields ?? []).map((field) => {
      if (this.move.fields.has(field.name.value)) return this.moved(field);
      return this.own.has(field.name.value) ? this.copied(field) : bound(field, node);
    });
    return { ...this.copied(node, (directive) => (isStub(directive) ? undefined : directive)), fields };
  }

  private moved(field: FieldDefinitionNode): FieldDefinitionNode {
    const directives = (field.directives ?? []).map((directive) =>
      isOf(directive, this.move.graph) ? withGraph(directive, this.move.to) : directive,
    );
    return { ...field, directives };
  }

  /** Returns the node with its directives for the real subgraph, changed, as directives for the virtual one too. */
  private copied<Node extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
    node: Node,
    change: (directive: ConstDirectiveNode) => ConstDirectiveNode | undefined = (directive) => directive,
  ): Node {
    const { directives = [] } = node;
    const copies = directives
      .filter((directive) => isOf(directive, this.move.graph) && this.hasSupertype(directive))
      .flatMap((directive) => change(directive) ?? [])
      .map((directive) => withGraph(directive, this.move.to));
    return { ...node, directives: [...directives, ...copies] };
  }

  /** Whether the virtual subgraph has the interface that a type is said to implement. */
  private hasSupertype(directive: ConstDirectiveNode): boolean {
    const name = textOf(directive, 'interface');
    return name === undefined || this.reach.has(name);
  }

  private renamed(directive: ConstDirectiveNode): ConstDirectiveNode {
    const value = `${textOf(directive, 'name')}${SEPARATOR}${this.move.to}`;
    return withArgument(directive, 'name', { kind: Kind.STRING, value });
  }
}

/** Returns the names of the moved fields, the keys, and the fields of this type that the moved ones require, at any depth. */
function ownFields(types: FieldsTypes, { type, graph, fields: moved }: MovedFields): ReadonlySet<string> {
  const { directives = [], fields = [] } = types.get(type) ?? {};
  const keys = directives.flatMap((directive) => (isOf(directive, graph) ? (textOf(directive, 'key') ?? []) : []));
  const required = fields
    .filter(({ name }) => moved.has(name.value))
    .flatMap((field) => (field.directives ?? []).flatMap((directive) => requiredBy(directive) ?? []));
  const names = [...keys.map(selectionOf), ...required]
    .flatMap((selection) => coordinates(types, type, selection))
    .filter((coordinate) => coordinate.startsWith(`${type}.`))
    .map((coordinate) => coordinate.slice(type.length + 1));
  return new Set([...moved, ...names]);
}

/** Returns a field that is in all subgraphs of its type as a field of those that the type has now. */
function bound(field: FieldDefinitionNode, { directives = [] }: FieldsType): FieldDefinitionNode {
  if (field.directives?.some((directive) => isJoin(directive, 'field'))) return field;
  const graphs = new Set(directives.flatMap((one) => (isJoin(one, 'type') ? (textOf(one, 'graph') ?? []) : [])));
  const name = { kind: Kind.NAME, value: 'join__field' } as const;
  const joins = [...graphs].map((graph) => withGraph({ kind: Kind.DIRECTIVE, name }, graph));
  return { ...field, directives: [...(field.directives ?? []), ...joins] };
}

function withGraph(directive: ConstDirectiveNode, graph: string): ConstDirectiveNode {
  return withArgument(directive, 'graph', { kind: Kind.ENUM, value: graph });
}

/** Whether the directive is a key by which the subgraph cannot be asked. */
export function isStub(directive: ConstDirectiveNode): boolean {
  return isJoin(directive, 'type') && textOf(directive, 'resolvable') === 'false';
}

function stub(directive: ConstDirectiveNode): ConstDirectiveNode {
  return withArgument(directive, 'resolvable', { kind: Kind.BOOLEAN, value: false });
}

/** A field with `@requires` of another type is entered in the real subgraph. */
function withoutRequires(directive: ConstDirectiveNode): ConstDirectiveNode {
  if (requiredBy(directive) === undefined) return directive;
  const given = directive.arguments?.filter(({ name }) => name.value !== 'requires') ?? [];
  return withArgument({ ...directive, arguments: given }, 'external', { kind: Kind.BOOLEAN, value: true });
}
