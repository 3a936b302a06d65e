import { isInterfaceType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import type { Schema } from '@apollo/federation-internals';

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

/** Gives the fields of a schema their costs. @param given by `Type.field` */
export function setCosts(schema: GraphQLSchema, given: ReadonlyMap<string, FieldCost>): void {
  for (const [coordinate, cost] of given) {
    const [typeName = '', fieldName = ''] = coordinate.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
    if (field) costs.set(field, cost);
  }
}

/** Returns the costs of the fields of a supergraph, by `Type.field`. */
export function readCosts(schema: Schema): ReadonlyMap<string, FieldCost> {
  const feature = schema.coreFeatures?.getByIdentity(IDENTITY);
  const names = feature ? ['cost', 'listSize'].map((name) => feature.directiveNameInSchema(name)) : [];
  const read = new Map<string, FieldCost>();
  for (const type of [...schema.objectTypes(), ...schema.interfaceTypes()])
    for (const { name, appliedDirectives } of type.fields()) {
      const applied = appliedDirectives.filter((directive) => names.includes(directive.name));
      if (applied.length > 0)
        read.set(`${type.name}.${name}`, Object.assign({}, ...applied.map((directive) => directive.arguments())));
    }
  return read;
}
