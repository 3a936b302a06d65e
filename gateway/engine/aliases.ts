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

/** Prefix of a renamed alias during execution. Clients may not use it. */
export const CLASH_PREFIX = 'archipelago_alias_';

/**
 * Renames each alias that is the name of another field of the same type. The planner adds key fields and required
 * fields under their own names, so such an alias would replace their value.
 * @returns undefined when no alias clashes, which is the usual case
 */
export function renameClashingAliases(schema: GraphQLSchema, document: DocumentNode): DocumentNode | undefined {
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
  return types.some(
    (candidate) =>
      (isObjectType(candidate) || isInterfaceType(candidate)) && Object.hasOwn(candidate.getFields(), field),
  );
}

/** Restores the renamed aliases of a result, in data and in the paths of errors. */
export function restoreAliases({ data, errors, ...rest }: ExecutionResult): ExecutionResult {
  return {
    ...rest,
    ...(data !== undefined && { data: restoreNames(data) as ExecutionResult['data'] }),
    ...(errors && { errors: errors.map(restorePath) }),
  } as ExecutionResult;
}

function restoreNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoreNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [originalName(name), restoreNames(child)]));
}

function restorePath(error: GraphQLError): GraphQLError {
  const path = error.path?.map((step) => (typeof step === 'string' ? originalName(step) : step)) ?? null;
  return new GraphQLError(error.message, { path, nodes: error.nodes ?? null, extensions: error.extensions });
}

function originalName(name: string): string {
  return name.startsWith(CLASH_PREFIX) ? name.slice(CLASH_PREFIX.length) : name;
}
