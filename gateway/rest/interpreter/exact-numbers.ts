import {
  getNamedType,
  isObjectType,
  isInterfaceType,
  Kind,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** The path of a UInt64 field in the data of an operation. Its value can be larger than JavaScript's safe integers. */
export type Path = readonly string[];

/** The paths of all UInt64 fields of an operation. */
export function exactNumberPaths(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly Path[] {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const below = ({ selections }: SelectionSetNode, typeName: string): Path[] =>
    selections.flatMap((selection): readonly Path[] => {
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return below(selection.selectionSet, selection.typeCondition?.name.value ?? typeName);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        return fragment ? below(fragment.selectionSet, fragment.typeCondition.name.value) : [];
      }
      const fieldType = typeOfField(schema, typeName, selection.name.value);
      if (fieldType === undefined) return [];
      const key = (selection.alias ?? selection.name).value;
      if (fieldType === 'UInt64') return [[key]];
      return selection.selectionSet ? below(selection.selectionSet, fieldType).map((path) => [key, ...path]) : [];
    });
  const root = schema.getRootType(operation.operation);
  return root ? below(operation.selectionSet, root.name) : [];
}

function typeOfField(schema: GraphQLSchema, typeName: string, name: string): string | undefined {
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return field && getNamedType(field.type).name;
}

/** Replaces the digits at these paths by exact JSON numbers, in place. */
export function writeExactNumbers(data: unknown, paths: readonly Path[]): void {
  for (const path of paths) writeExactNumber(data, path);
}

function writeExactNumber(value: unknown, [name = '', ...rest]: Path): void {
  if (Array.isArray(value)) for (const item of value) writeExactNumber(item, [name, ...rest]);
  else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    if (rest.length > 0) writeExactNumber(record[name], rest);
    else record[name] = exactNumber(record[name]);
  }
}

/** Digits as a JSON number without loss of precision. Other values are returned unchanged. */
export function exactNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? rawJson(value) : value;
}

/** TypeScript has no types for it yet. Source: ECMAScript proposal JSON.parse source text access */
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
};

/** Whether a value is an exact number, which is an object in JavaScript. */
export function isExactNumber(value: unknown): boolean {
  return isRawJson(value);
}
