import { isCompositeType, type CompositeType, type Schema, type Supergraph } from '@apollo/federation-internals';
import { isInterfaceType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';

/** The directives of costs in a supergraph. Source: Apollo Federation 2.9, Demand Control */
const IDENTITY = 'https://specs.apollo.dev/cost';

/** What a field adds to the cost of an operation. */
export interface FieldCost {
  /** Of `@cost`. */
  readonly weight?: number;
  /** Of `@listSize`. */
  readonly assumedSize?: number;
  readonly slicingArguments?: readonly string[];
  readonly sizedFields?: readonly string[];
}

const costs = new WeakMap<GraphQLField<unknown, unknown>, FieldCost>();

/** Returns the cost that the SDL gives a field. */
export function costOf(field: GraphQLField<unknown, unknown>): FieldCost {
  return costs.get(field) ?? {};
}

/** Reads the costs of the supergraph for the fields of its API. */
export function readCosts(api: GraphQLSchema, { schema }: Supergraph): void {
  const feature = schema.coreFeatures?.getByIdentity(IDENTITY);
  if (!feature) return;
  const names = ['cost', 'listSize'].map((name) => feature.directiveNameInSchema(name));
  for (const type of Object.values(api.getTypeMap()))
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields())) readCost(field, compositeType(schema, type.name), names);
}

function readCost(field: GraphQLField<unknown, unknown>, type: CompositeType, names: readonly string[]): void {
  const applied = type.field(field.name)?.appliedDirectives.filter(({ name }) => names.includes(name)) ?? [];
  if (applied.length > 0) costs.set(field, Object.assign({}, ...applied.map((directive) => directive.arguments())));
}

function compositeType(schema: Schema, name: string): CompositeType {
  const type = schema.type(name);
  if (type && isCompositeType(type)) return type;
  throw new Error(`the supergraph has no type ${name}`);
}
