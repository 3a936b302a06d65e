import {
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** Lists of what can be asked of a schema. Source: GraphQL specification, Schema Introspection */
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

/** How long the lists of a schema really are. */
export class SchemaLists {
  private readonly average: Readonly<Record<ListName, number>>;
  private readonly longest: Readonly<Record<ListName, number>>;

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
    const each = (measure: (of: readonly number[]) => number) =>
      Object.fromEntries(Object.entries(lengths).map(([name, of]) => [name, measure(of)])) as Record<ListName, number>;
    this.average = each((of) => of.reduce((sum, length) => sum + length, 0) / Math.max(1, of.length));
    this.longest = each((of) => Math.max(1, ...of));
  }

  /** Items of a list: on average where it is asked of every type, else as many as the longest has. */
  itemsOf(field: string, isEvery: boolean): number {
    const lengths: Readonly<Record<string, number>> = isEvery ? this.average : this.longest;
    return Object.hasOwn(lengths, field) ? (lengths[field] ?? 1) : 1;
  }
}

/** Whether what is asked below a field is asked of every type: all of them, then their own fields, but not whom those lead to. */
export function isEveryBelow(field: string, isEvery: boolean): boolean {
  return field === 'types' || (isEvery && (field === 'fields' || field === 'args' || field === 'inputFields'));
}

function fieldsOf(type: GraphQLNamedType): readonly { readonly args: readonly unknown[] }[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}
