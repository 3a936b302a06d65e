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
  type GraphQLOutputType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { coversAllTypesBelow, type SchemaListLengths } from './schema-lists.js';

/** Assumed length of a list in the cost estimate. */
const ITEMS_PER_LIST = 10;

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

interface Position {
  /** Parent type of the fields; undefined in an invalid document. */
  readonly type: GraphQLOutputType | undefined;
  /** Whether this is below `__schema` or `__type`. */
  readonly isIntrospection: boolean;
  /** Whether the selection applies to all types of the schema; lists then have their average length. */
  readonly coversAllTypes: boolean;
}

/** Estimates the cost of the operations of a document. Visits each fragment once, so the time is linear in the document. */
export class CostEstimator {
  private readonly fragments = new Map<string, Estimate>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly lists: SchemaListLengths,
    private readonly fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  ) {}

  /** Estimates an operation on this root type. */
  operation(set: SelectionSetNode, type: GraphQLOutputType | undefined): Estimate {
    return this.selections(set, { type, isIntrospection: false, coversAllTypes: false });
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
    return this.selections(selection.selectionSet, this.narrowed(selection, position));
  }

  private spread(name: string, position: Position): Estimate {
    const key = `${name} ${position.isIntrospection} ${position.coversAllTypes}`;
    const known = this.fragments.get(key);
    if (known) return known;
    const fragment = this.fragmentOf(name);
    if (!fragment) return EMPTY;
    // Inside itself a fragment counts as empty: another rule reports cycles.
    this.fragments.set(key, EMPTY);
    const estimate = this.selections(fragment.selectionSet, this.narrowed(fragment, position));
    this.fragments.set(key, estimate);
    return estimate;
  }

  private field(field: FieldNode, position: Position): Estimate {
    const metaType = META_FIELDS.get(field.name.value);
    const isIntrospection = position.isIntrospection || metaType !== undefined;
    const type = metaType ?? fieldType(position.type, field.name.value);
    const coversAllTypes = isIntrospection && coversAllTypesBelow(field.name.value, position.coversAllTypes);
    const below = field.selectionSet
      ? this.selections(field.selectionSet, { type, isIntrospection, coversAllTypes })
      : EMPTY;
    const times = this.itemsOf(field, type, { ...position, isIntrospection });
    return {
      fields: 1,
      depth: isIntrospection ? 0 : below.depth + 1,
      aliases: capped(below.aliases + (field.alias ? 1 : 0)),
      directives: below.directives,
      cost: capped(times * below.cost + (isIntrospection ? 0 : 1)),
      introspection: capped(times * below.introspection + (isIntrospection ? 1 : 0)),
    };
  }

  private itemsOf({ name }: FieldNode, type: GraphQLOutputType | undefined, position: Position): number {
    if (!type || !isListed(type)) return 1;
    return position.isIntrospection ? this.lists.itemsOf(name.value, position.coversAllTypes) : ITEMS_PER_LIST;
  }

  private narrowed({ typeCondition }: InlineFragmentNode | FragmentDefinitionNode, position: Position): Position {
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

function fieldType(parent: GraphQLOutputType | undefined, name: string): GraphQLOutputType | undefined {
  const type = parent && getNamedType(parent);
  return isCompositeType(type) && !isUnionType(type) ? type.getFields()[name]?.type : undefined;
}

function isListed(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isListType(type.ofType) : isListType(type);
}
