import {
  Kind,
  parse,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** A type with fields. */
export type FieldsType = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

export type FieldsTypes = ReadonlyMap<string, FieldsType>;

/** Returns the types with fields of a supergraph, by name. */
export function fieldsTypes({ definitions }: DocumentNode): FieldsTypes {
  return new Map(definitions.filter(isFieldsType).map((type) => [type.name.value, type]));
}

/** Returns the supergraph with other types; the same when no type changes. */
export function withTypes(document: DocumentNode, change: (type: FieldsType) => FieldsType): DocumentNode {
  const definitions = document.definitions.map((node) => (isFieldsType(node) ? change(node) : node));
  const isChanged = definitions.some((node, at) => node !== document.definitions[at]);
  return isChanged ? { ...document, definitions } : document;
}

/** Whether the definition is a type with fields. */
export function isFieldsType(node: DocumentNode['definitions'][number]): node is FieldsType {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION;
}

/** Returns the types that have the fields of this one: itself and, for an interface, the types that implement it. */
export function typesLike(types: FieldsTypes, name: string): FieldsType[] {
  return [...types.values()].filter(
    (type) => type.name.value === name || type.interfaces?.some((other) => other.name.value === name),
  );
}

/** Whether the directive is this one of the join specification. */
export function isJoin({ name }: ConstDirectiveNode, directive: string): boolean {
  return name.value === `join__${directive}`;
}

/** Returns an argument of a directive as text. */
export function textOf({ arguments: given = [] }: ConstDirectiveNode, name: string): string | undefined {
  const value = given.find((argument) => argument.name.value === name)?.value;
  return value && 'value' in value ? String(value.value) : undefined;
}

/** Returns the directive with the argument, instead of one of the same name. */
export function withArgument(directive: ConstDirectiveNode, name: string, value: ConstValueNode): ConstDirectiveNode {
  const others = directive.arguments?.filter((argument) => argument.name.value !== name) ?? [];
  const argument = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value } as const;
  return { ...directive, arguments: [...others, argument] };
}

/** Returns the selection of a `@requires`; undefined for other directives. */
export function requiredBy(directive: ConstDirectiveNode): SelectionSetNode | undefined {
  const fields = isJoin(directive, 'field') ? textOf(directive, 'requires') : undefined;
  return fields === undefined ? undefined : selectionOf(fields);
}

/** Parses a set of fields. */
export function selectionOf(fields: string): SelectionSetNode {
  const [definition] = parse(`{${fields}}`, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('a set of fields is a selection');
  return definition.selectionSet;
}

/** Returns the name of a type without its lists and `!`. */
export function namedType(type: FieldDefinitionNode['type']): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

/** Returns the fields in a selection, as `Type.field`. */
export function coordinates(types: FieldsTypes, type: string, { selections }: SelectionSetNode): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [];
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return coordinates(types, selection.typeCondition?.name.value ?? type, selection.selectionSet);
    const { name, selectionSet } = selection;
    const field = types.get(type)?.fields?.find((one) => one.name.value === name.value);
    const below = field && selectionSet ? coordinates(types, namedType(field.type), selectionSet) : [];
    return [...typesLike(types, type).map((owner) => `${owner.name.value}.${name.value}`), ...below];
  });
}
