import { isObjectType, type GraphQLFieldResolver, type GraphQLNamedType, type GraphQLSchema } from 'graphql';

type Values = Readonly<Record<string, unknown>>;

/** Returns the entity of a representation, or a promise of it. */
type ResolveReference = (representation: Values, ...rest: unknown[]) => unknown;

interface Arguments {
  readonly representations: readonly Values[];
}

const TYPENAME = '__typename';

/**
 * Resolves the entities of a federation schema without a promise for each, where their resolver returns none. Interfaces and
 * types without a resolver are left to `@apollo/subgraph`.
 */
export function resolveEntitiesDirectly(schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()['_entities'];
  const otherwise = field?.resolve;
  if (!field || !otherwise) return;
  const known = new Map(Object.values(schema.getTypeMap()).flatMap((type) => resolverOf(type)));
  const resolve: GraphQLFieldResolver<unknown, unknown, Arguments> = (source, args, context, info) => {
    const { representations } = args;
    if (!representations.every(({ __typename }) => known.has(__typename)))
      return otherwise(source, args, context, info);
    return representations.map((representation) => {
      const { __typename } = representation;
      const entity = known.get(__typename)?.(representation, context, info);
      return entity instanceof Promise ? entity.then((value) => named(value, __typename)) : named(entity, __typename);
    });
  };
  Object.assign(field, { resolve });
}

function resolverOf(type: GraphQLNamedType): [unknown, ResolveReference][] {
  const { apollo } = type.extensions as { apollo?: { subgraph?: { resolveReference?: ResolveReference } } };
  const resolve = apollo?.subgraph?.resolveReference;
  return isObjectType(type) && resolve ? [[type.name, resolve]] : [];
}

/** Gives an entity its type, by which the executor knows it. */
function named(entity: unknown, typename: unknown): unknown {
  if (typeof entity !== 'object' || entity === null) return entity;
  const present = TYPENAME in entity ? entity[TYPENAME] : undefined;
  if (present === typename) return entity;
  if (present !== undefined) return { ...entity, [TYPENAME]: typename };
  return Object.defineProperty(entity, TYPENAME, { value: typename });
}
