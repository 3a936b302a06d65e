import {
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { Variables } from '../../engine/execution.js';
import { costOf, type FieldCost } from '../../engine/field-costs.js';
import { coversAllTypesBelow, type SchemaListLengths } from './schema-lists.js';

/** Assumed length of a list in the cost estimate, unless `@listSize` gives a larger one. */
const ITEMS_PER_LIST = 10;

/** Rows of a page that count as one item: a page of the default length counts like any other list. */
const ROWS_PER_ITEM = 5;

/** Maximum page size in the estimate: the largest of any list, that of files. */
const MAX_ROWS = 10_000;

/** Upper bound of all counts: nested fragments can exceed the range of a number. */
const MAX_COUNT = 1e12;

/** The introspection fields of the query type. */
const META_FIELDS = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map(({ name, type }) => [name, type]));

/** The size of a selection set, fragments included. */
export interface Estimate {
  /** Fields of the set itself, without nested ones. */
  readonly fields: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly cost: number;
  /** Cost of the introspection fields. graphql-js limits their depth. */
  readonly introspection: number;
}

const EMPTY: Estimate = { fields: 0, depth: 0, aliases: 0, directives: 0, cost: 0, introspection: 0 };

type Sizes = Readonly<Record<string, number>>;

interface Position {
  /** Parent type of the fields; undefined in an invalid document. */
  readonly type: GraphQLOutputType | undefined;
  /** Whether this is below `__schema` or `__type`. */
  readonly isIntrospection: boolean;
  /** Lengths of lists among the fields, which an argument of the parent field sets. */
  readonly sizes: Sizes;
  /** Whether the selection applies to all types of the schema; lists then have their average length. */
  readonly coversAllTypes: boolean;
}

/** Estimates the cost of the operations of a document. Visits each fragment once, so the time is linear in the document. */
export class CostEstimator {
  /** The variables that set the length of lists, as far as the estimate has met them. */
  readonly lengthVariables = new Set<string>();
  private readonly fragments = new Map<string, Estimate>();

  /** @param values of the variables; a list whose length is in none of them has its assumed length */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly lists: SchemaListLengths,
    private readonly fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
    private readonly values: Variables = {},
  ) {}

  /** Estimates an operation on this root type. */
  operation(set: SelectionSetNode, type: GraphQLOutputType | undefined): Estimate {
    return this.selections(set, { type, isIntrospection: false, coversAllTypes: false, sizes: {} });
  }

  private selections({ selections }: SelectionSetNode, position: Position): Estimate {
    return selections.reduce((total, selection) => {
      const directives = { ...EMPTY, directives: selection.directives?.length ?? 0 };
      return addEstimates(addEstimates(total, directives), this.selection(selection, position));
    }, EMPTY);
  }

  private selection(selection: SelectionNode, position: Position): Estimate {
    if (selection.kind === Kind.FIELD) return this.field(selection, position);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.spread(selection.name.value, position);
    return this.selections(selection.selectionSet, this.withTypeCondition(selection, position));
  }

  private spread(name: string, position: Position): Estimate {
    const key = `${name} ${position.isIntrospection} ${position.coversAllTypes} ${JSON.stringify(position.sizes)}`;
    const known = this.fragments.get(key);
    if (known) return known;
    const fragment = this.fragmentOf(name);
    if (!fragment) return EMPTY;
    // Inside itself a fragment counts as empty: another rule reports cycles.
    this.fragments.set(key, EMPTY);
    const estimate = this.selections(fragment.selectionSet, this.withTypeCondition(fragment, position));
    this.fragments.set(key, estimate);
    return estimate;
  }

  private field(field: FieldNode, position: Position): Estimate {
    const metaType = META_FIELDS.get(field.name.value);
    const isIntrospection = position.isIntrospection || metaType !== undefined;
    const definition = fieldDefinition(position.type, field.name.value);
    const type = metaType ?? definition?.type;
    const { weight, items, sizes } = this.measure(field, definition, position.sizes);
    const coversAllTypes = isIntrospection && coversAllTypesBelow(field.name.value, position.coversAllTypes);
    const below = field.selectionSet
      ? this.selections(field.selectionSet, { type, isIntrospection, coversAllTypes, sizes })
      : EMPTY;
    const times = this.itemsOf(field, type, { ...position, isIntrospection, items });
    return {
      fields: 1,
      depth: isIntrospection ? 0 : below.depth + 1,
      aliases: capped(below.aliases + (field.alias ? 1 : 0)),
      directives: below.directives,
      cost: capped(times * below.cost + (isIntrospection ? 0 : weight)),
      introspection: capped(times * below.introspection + (isIntrospection ? 1 : 0)),
    };
  }

  private itemsOf(
    { name }: FieldNode,
    type: GraphQLOutputType | undefined,
    { items, ...position }: Position & { readonly items: number },
  ): number {
    if (!type || !isListed(type)) return 1;
    return position.isIntrospection ? this.lists.itemsOf(name.value, position.coversAllTypes) : items;
  }

  /** Returns the weight of a field, its length if it is a list, and the lengths of lists below it that its arguments set. */
  private measure(field: FieldNode, definition: GraphQLField<unknown, unknown> | undefined, given: Sizes) {
    const { weight = 1, sizedFields = [], ...listSize }: FieldCost = definition ? costOf(definition) : {};
    const size = this.sizeOf(field, listSize);
    const sizes: Sizes = Object.fromEntries(sizedFields.map((name) => [name, size]));
    return { weight, items: given[field.name.value] ?? (sizedFields.length > 0 ? ITEMS_PER_LIST : size), sizes };
  }

  /**
   * Returns the assumed length of a list. An argument that sets the page size replaces it: a page of up to ten rows counts
   * all of them, a longer one a fifth of its rows, but at least ten.
   */
  private sizeOf(field: FieldNode, { assumedSize = ITEMS_PER_LIST, slicingArguments = [] }: FieldCost): number {
    const slicing = field.arguments?.filter(({ name }) => slicingArguments.includes(name.value)) ?? [];
    const given = slicing.flatMap(({ value }) => this.numberOf(value));
    const rows = given.length > 0 ? Math.min(Math.max(...given, 1), MAX_ROWS) : assumedSize;
    if (rows <= ITEMS_PER_LIST && given.length > 0) return rows;
    return Math.max(slicingArguments.length > 0 ? rows / ROWS_PER_ITEM : rows, ITEMS_PER_LIST);
  }

  private numberOf(value: ValueNode): number[] {
    if (value.kind === Kind.INT) return [Number(value.value)];
    if (value.kind !== Kind.VARIABLE) return [];
    this.lengthVariables.add(value.name.value);
    const given = this.values[value.name.value];
    return typeof given === 'number' ? [given] : [];
  }

  private withTypeCondition(
    { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
    position: Position,
  ): Position {
    const type = typeCondition && this.schema.getType(typeCondition.name.value);
    return isCompositeType(type) ? { ...position, type } : position;
  }
}

function addEstimates(one: Estimate, other: Estimate): Estimate {
  return {
    fields: capped(one.fields + other.fields),
    depth: Math.max(one.depth, other.depth),
    aliases: capped(one.aliases + other.aliases),
    directives: capped(one.directives + other.directives),
    cost: capped(one.cost + other.cost),
    introspection: capped(one.introspection + other.introspection),
  };
}

function capped(count: number): number {
  return Math.min(count, MAX_COUNT);
}

function fieldDefinition(
  parent: GraphQLOutputType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  const type = parent && getNamedType(parent);
  return isCompositeType(type) && !isUnionType(type) ? type.getFields()[name] : undefined;
}

function isListed(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isListType(type.ofType) : isListType(type);
}
