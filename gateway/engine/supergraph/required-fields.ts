import {
  Kind,
  parse,
  print,
  visit,
  type ArgumentNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type FieldNode,
  type NameNode,
  type SelectionSetNode,
} from 'graphql';
import {
  fieldsTypes,
  namedType,
  requiredBy,
  typesLike,
  withArgument,
  withTypes,
  type FieldsType,
  type FieldsTypes,
} from './join.js';

/** Prefix of the fields that stand for a required field with its arguments. */
const PREFIX = 'archipelago_required_';

/** Returns the name of the field that a name stands for. */
export function requiredName(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(name.indexOf('_', PREFIX.length) + 1) : name;
}

/** Whether an operation of the planner has fields that stand for others. */
export function hasRequiredNames(operation: string): boolean {
  return operation.includes(PREFIX);
}

/**
 * The planner asks for a required field under its own name, which has room for one set of arguments, and together with what
 * the client selects below it, whose errors can make it null. Therefore the planner sees each required field with arguments
 * or selections as a field of its own: `archipelago_required_0_price`, of the same subgraphs, without arguments.
 */
export class RequiredFields {
  /** The supergraph with these fields. */
  readonly document: DocumentNode;
  private readonly types: FieldsTypes;
  private readonly argumentsOf = new Map<string, readonly ArgumentNode[]>();
  private readonly names = new Map<string, string>();
  /** The name and the definition of the fields that each type gets. */
  private readonly additions = new Map<string, Map<string, string>>();

  constructor(document: DocumentNode) {
    this.types = fieldsTypes(document);
    const rewritten = new Map([...this.types].map(([name, type]) => [name, this.rewriteFields(name, type.fields)]));
    const change = (type: FieldsType): FieldsType => ({
      ...type,
      fields: this.withAdditions(type.name.value, rewritten.get(type.name.value) ?? []),
    });
    this.document = this.names.size > 0 ? withTypes(document, change) : document;
  }

  /** Returns the operation of a fetch with the real fields and their arguments. */
  restore(operation: string): string {
    if (!hasRequiredNames(operation)) return operation;
    const leave = (field: FieldNode): FieldNode | undefined => {
      const given = this.argumentsOf.get(field.name.value);
      const name: NameNode = { kind: Kind.NAME, value: requiredName(field.name.value) };
      return given && { ...field, alias: field.alias ?? field.name, name, arguments: given };
    };
    return print(visit(parse(operation, { noLocation: true }), { Field: { leave } }));
  }

  private rewriteFields(type: string, fields: readonly FieldDefinitionNode[] = []): FieldDefinitionNode[] {
    return fields.map((field) => ({
      ...field,
      directives: (field.directives ?? []).map((directive) => this.rewriteDirective(directive, type)),
    }));
  }

  private rewriteDirective(directive: ConstDirectiveNode, type: string): ConstDirectiveNode {
    const required = requiredBy(directive);
    if (!required) return directive;
    const { selections } = this.rewrite(required, type);
    return withArgument(directive, 'requires', { kind: Kind.STRING, value: selections.map(print).join(' ') });
  }

  private rewrite({ kind, selections }: SelectionSetNode, type: string): SelectionSetNode {
    return {
      kind,
      selections: selections.map((selection) => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) return selection;
        if (selection.kind === Kind.FIELD) return this.rewriteField(selection, type);
        const condition = selection.typeCondition?.name.value ?? type;
        return { ...selection, selectionSet: this.rewrite(selection.selectionSet, condition) };
      }),
    };
  }

  private rewriteField(node: FieldNode, type: string): FieldNode {
    const definition = this.types.get(type)?.fields?.find(({ name }) => name.value === node.name.value);
    if (!definition) return node;
    const { selectionSet: set } = node;
    const inner = set ? { selectionSet: this.rewrite(set, namedType(definition.type)) } : {};
    if (!definition.arguments?.length && !set) return node;
    return { ...node, name: { kind: Kind.NAME, value: this.add(node, type) }, arguments: [], ...inner };
  }

  /** Adds the field to the type and to the types that implement it. */
  private add({ name: { value: real }, arguments: given = [] }: FieldNode, type: string): string {
    const text = `${real}(${given.map(print).toSorted().join()})`;
    const name = this.names.get(text) ?? `${PREFIX}${this.names.size}_${real}`;
    this.names.set(text, name);
    this.argumentsOf.set(name, given);
    for (const { name: owner } of typesLike(this.types, type)) {
      const names = this.additions.get(owner.value) ?? new Map<string, string>();
      this.additions.set(owner.value, names.set(name, real));
    }
    return name;
  }

  private withAdditions(type: string, fields: readonly FieldDefinitionNode[]): FieldDefinitionNode[] {
    const added = [...(this.additions.get(type) ?? [])].flatMap(([value, real]) =>
      fields
        .filter(({ name }) => name.value === real)
        .map((field) => ({ ...field, name: { kind: Kind.NAME, value } as const, arguments: [] })),
    );
    return [...fields, ...added];
  }
}
