import {
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** List fields of the introspection types. Source: GraphQL specification, Schema Introspection */
type ListName =
  | 'types'
  | 'directives'
  | 'fields'
  | 'args'
  | 'inputFields'
  | 'interfaces'
  | 'possibleTypes'
  | 'enumValues'
  | 'locations';

/** The lengths of the introspection lists of a schema. */
export class SchemaListLengths {
  private readonly average: Readonly<Record<ListName, number>>;
  private readonly maximum: Readonly<Record<ListName, number>>;

  constructor(schema: GraphQLSchema) {
    const types = Object.values(schema.getTypeMap());
    const directives = schema.getDirectives();
    const fields = types.flatMap(fieldsOf);
    const lengths: Readonly<Record<ListName, readonly number[]>> = {
      types: [types.length],
      directives: [directives.length],
      fields: types.map((type) => fieldsOf(type).length),
      args: fields.map(({ args }) => args.length),
      inputFields: types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
      interfaces: types.map((type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0)),
      possibleTypes: types.map((type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
      enumValues: types.map((type) => (isEnumType(type) ? type.getValues().length : 0)),
      locations: directives.map(({ locations }) => locations.length),
    };
    const each = (aggregate: (values: readonly number[]) => number) =>
      Object.fromEntries(Object.entries(lengths).map(([name, values]) => [name, aggregate(values)])) as Record<
        ListName,
        number
      >;
    this.average = each((values) => values.reduce((sum, length) => sum + length, 0) / Math.max(1, values.length));
    this.maximum = each((values) => Math.max(1, ...values));
  }

  /** Returns the average length of a list when the selection covers all types, else the maximum length. */
  itemsOf(field: string, coversAllTypes: boolean): number {
    const lengths: Readonly<Record<string, number>> = coversAllTypes ? this.average : this.maximum;
    return Object.hasOwn(lengths, field) ? (lengths[field] ?? 1) : 1;
  }
}

/**
 * Whether the selection below a field is made on every type: below `types`, and there below `fields`, `args` and `inputFields`,
 * but not below `type` or `ofType`.
 */
export function coversAllTypesBelow(field: string, coversAllTypes: boolean): boolean {
  return field === 'types' || (coversAllTypes && (field === 'fields' || field === 'args' || field === 'inputFields'));
}

function fieldsOf(type: GraphQLNamedType): readonly { readonly args: readonly unknown[] }[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}
