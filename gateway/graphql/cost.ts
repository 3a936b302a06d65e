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
import { isEveryBelow, type SchemaLists } from './schema-lists.js';

/** Items that a list is taken to have when the cost of an operation is estimated. */
const ITEMS_PER_LIST = 10;

/** Counts beyond are all the same: fragments multiply each other past what a number holds. */
const UNCOUNTED = 1e12;

/** What every query type has beside its own fields. */
const META_FIELDS = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map(({ name, type }) => [name, type]));

/** What a selection set asks for where it comes up once, fragments included. */
export interface Tally {
  /** Fields of the set itself. */
  readonly fields: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly cost: number;
  /** Cost of what is asked of the schema itself, whose nesting graphql-js bounds. */
  readonly introspection: number;
}

const NOTHING: Tally = { fields: 0, depth: 0, aliases: 0, directives: 0, cost: 0, introspection: 0 };

interface Place {
  /** Type the fields are selected on; undefined where the document is wrong anyway. */
  readonly type: GraphQLOutputType | undefined;
  /** Below `__schema` or `__type`. */
  readonly isSchema: boolean;
  /** Among all types of the schema, where lists are as long as they are on average. */
  readonly isEvery: boolean;
}

/** Measures the operations of a document, each fragment once: the work is linear in the document. */
export class Measure {
  private readonly fragments = new Map<string, Tally>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly lists: SchemaLists,
    private readonly fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  ) {}

  /** What an operation on this root type asks for. */
  operation(set: SelectionSetNode, type: GraphQLOutputType | undefined): Tally {
    return this.selections(set, { type, isSchema: false, isEvery: false });
  }

  private selections({ selections }: SelectionSetNode, place: Place): Tally {
    return selections.reduce((sum, selection) => {
      const directives = { ...NOTHING, directives: selection.directives?.length ?? 0 };
      return together(together(sum, directives), this.selection(selection, place));
    }, NOTHING);
  }

  private selection(selection: SelectionNode, place: Place): Tally {
    if (selection.kind === Kind.FIELD) return this.field(selection, place);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.spread(selection.name.value, place);
    return this.selections(selection.selectionSet, this.narrowed(selection, place));
  }

  private spread(name: string, place: Place): Tally {
    const key = `${name} ${place.isSchema} ${place.isEvery}`;
    const known = this.fragments.get(key);
    if (known) return known;
    const fragment = this.fragmentOf(name);
    if (!fragment) return NOTHING;
    // Within itself it counts for nothing: a cycle is another rule's to report.
    this.fragments.set(key, NOTHING);
    const tally = this.selections(fragment.selectionSet, this.narrowed(fragment, place));
    this.fragments.set(key, tally);
    return tally;
  }

  private field(field: FieldNode, place: Place): Tally {
    const meta = META_FIELDS.get(field.name.value);
    const isSchema = place.isSchema || meta !== undefined;
    const type = meta ?? fieldType(place.type, field.name.value);
    const isEvery = isSchema && isEveryBelow(field.name.value, place.isEvery);
    const below = field.selectionSet ? this.selections(field.selectionSet, { type, isSchema, isEvery }) : NOTHING;
    const times = this.itemsOf(field, type, { ...place, isSchema });
    return {
      fields: 1,
      depth: isSchema ? 0 : below.depth + 1,
      aliases: capped(below.aliases + (field.alias ? 1 : 0)),
      directives: below.directives,
      cost: capped(times * below.cost + (isSchema ? 0 : 1)),
      introspection: capped(times * below.introspection + (isSchema ? 1 : 0)),
    };
  }

  private itemsOf({ name }: FieldNode, type: GraphQLOutputType | undefined, place: Place): number {
    if (!type || !isListed(type)) return 1;
    return place.isSchema ? this.lists.itemsOf(name.value, place.isEvery) : ITEMS_PER_LIST;
  }

  private narrowed({ typeCondition }: InlineFragmentNode | FragmentDefinitionNode, place: Place): Place {
    const type = typeCondition && this.schema.getType(typeCondition.name.value);
    return isCompositeType(type) ? { ...place, type } : place;
  }
}

function together(one: Tally, other: Tally): Tally {
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
  return Math.min(count, UNCOUNTED);
}

function fieldType(parent: GraphQLOutputType | undefined, name: string): GraphQLOutputType | undefined {
  const type = parent && getNamedType(parent);
  return isCompositeType(type) && !isUnionType(type) ? type.getFields()[name]?.type : undefined;
}

function isListed(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isListType(type.ofType) : isListType(type);
}
