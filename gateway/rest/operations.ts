import {
  Kind,
  parse,
  validate,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

/** Parses the operations of the REST routes and adds what their file leaves out: arguments and aliases. */
export function parseOperations(text: string): DocumentNode {
  return visit(parse(text), { OperationDefinition: withArguments, Field: withAlias });
}

/** @throws when an operation is not valid for the schema */
export function checkOperations(schema: GraphQLSchema, operations: DocumentNode): void {
  const faults = validate(schema, operations);
  if (faults.length > 0) throw new Error(`the REST operations do not fit the schema: ${faults.map(String).join('\n')}`);
}

/** The name in REST requests and answers of a GraphQL field: `path_hash` for `pathHash`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function withAlias(field: FieldNode): FieldNode {
  const value = snakeCase(field.name.value);
  if (field.alias || value === field.name.value) return field;
  return { ...field, alias: { kind: Kind.NAME, value } };
}

/** Passes each variable that is not used yet to the root field's argument of the same name in camelCase. */
function withArguments(operation: OperationDefinitionNode): OperationDefinitionNode {
  const { variableDefinitions = [], selectionSet } = operation;
  const [root, ...others] = selectionSet.selections;
  if (root?.kind !== Kind.FIELD) return operation;
  const used = new Set<string>();
  visit(selectionSet, { Variable: ({ name }) => void used.add(name.value) });
  const added = variableDefinitions
    .filter(({ variable }) => !used.has(variable.name.value))
    .map(({ variable }): ArgumentNode => {
      const name = { kind: Kind.NAME, value: camelCase(variable.name.value) } as const;
      return { kind: Kind.ARGUMENT, name, value: variable };
    });
  const field = { ...root, arguments: [...(root.arguments ?? []), ...added] };
  return { ...operation, selectionSet: { ...selectionSet, selections: [field, ...others] } };
}
