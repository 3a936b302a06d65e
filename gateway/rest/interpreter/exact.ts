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

/** Where in an answer numbers lie that JavaScript may not hold: names of fields within each other. */
export type Path = readonly string[];

/** The paths of all numbers without a sign in the answers of an operation. */
export function exactPaths(
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
      const inside = typeOfField(schema, typeName, selection.name.value);
      if (inside === undefined) return [];
      const word = (selection.alias ?? selection.name).value;
      if (inside === 'UInt64') return [[word]];
      return selection.selectionSet ? below(selection.selectionSet, inside).map((path) => [word, ...path]) : [];
    });
  const root = schema.getRootType(operation.operation);
  return root ? below(operation.selectionSet, root.name) : [];
}

function typeOfField(schema: GraphQLSchema, typeName: string, name: string): string | undefined {
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return field && getNamedType(field.type).name;
}

/** Makes digits at the end of these paths JSON numbers, in place. */
export function makeExact(data: unknown, paths: readonly Path[]): void {
  for (const path of paths) makeNumber(data, path);
}

function makeNumber(value: unknown, [name = '', ...rest]: Path): void {
  if (Array.isArray(value)) for (const item of value) makeNumber(item, [name, ...rest]);
  else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>;
    if (rest.length > 0) makeNumber(record[name], rest);
    else record[name] = asNumber(record[name]);
  }
}

/** The JSON number that digits stand for, as exact as they are; anything else as it is. Source: folder-sync document, Conventions */
export function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? rawJson(value) : value;
}

/** Source: ECMAScript proposal JSON.parse source text access; TypeScript does not know it yet. */
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
};

/** Whether it is such a number: an object, too, to JavaScript. */
export function isExactNumber(value: unknown): boolean {
  return isRawJson(value);
}
