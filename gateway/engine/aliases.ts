import {
  GraphQLError,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';

/** How a clashing alias is written while the operation runs; long enough to be nobody's own name. */
export const CLASH_PREFIX = 'archipelago_alias_';

/**
 * The document with other names for aliases that are names of other fields of the same type: to join subgraphs the
 * planner asks for keys and required fields by their own names, and such an alias would stand in their place.
 * @returns undefined where there are none, which is nearly always
 */
export function withoutClashes(schema: GraphQLSchema, document: DocumentNode): DocumentNode | undefined {
  const types = new TypeInfo(schema);
  let clashes = 0;
  const renamed = visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const parent = types.getParentType();
        if (!node.alias || node.alias.value === node.name.value || !parent) return undefined;
        if (!hasField(schema, parent.name, node.alias.value)) return undefined;
        clashes++;
        return { ...node, alias: { kind: Kind.NAME, value: CLASH_PREFIX + node.alias.value } };
      },
    }),
  );
  return clashes > 0 ? renamed : undefined;
}

function hasField(schema: GraphQLSchema, typeName: string, field: string): boolean {
  const type = schema.getType(typeName);
  const types = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
  return types.some((one) => (isObjectType(one) || isInterfaceType(one)) && Object.hasOwn(one.getFields(), field));
}

/** Gives the aliases of an answer their names back, in data and in the paths of errors. */
export function withAliases({ data, errors, ...rest }: ExecutionResult): ExecutionResult {
  return {
    ...rest,
    ...(data !== undefined && { data: named(data) as ExecutionResult['data'] }),
    ...(errors && { errors: errors.map(namedError) }),
  } as ExecutionResult;
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [plain(name), named(inner)]));
}

function namedError(error: GraphQLError): GraphQLError {
  const path = error.path?.map((step) => (typeof step === 'string' ? plain(step) : step)) ?? null;
  return new GraphQLError(error.message, { path, nodes: error.nodes ?? null, extensions: error.extensions });
}

function plain(name: string): string {
  return name.startsWith(CLASH_PREFIX) ? name.slice(CLASH_PREFIX.length) : name;
}
