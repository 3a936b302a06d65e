import {
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLOutputType,
  type InlineFragmentNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { badRequest } from '../kernel/errors.js';
import { isStorable, UNSTORABLE } from '../kernel/text.js';

/** Bytes of a JSON body: the largest honest one is a tenth of it. */
export const MOST_BODY_BYTES = 100 * 1024;

/** Tokens of a document, counted before anything is built from it. */
export const MOST_TOKENS = 2_000;

/** What one operation may ask for. Source: architecture, Faults met in the packages. */
const MOST = { depth: 12, aliases: 30, rootFields: 20, directives: 20, cost: 5_000, introspection: 60_000 } as const;

/** Items that a list is taken to have when the cost of an operation is estimated. */
const ITEMS_PER_LIST = 10;

/** What every query type has beside its own fields. */
const META_FIELDS = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map(({ name, type }) => [name, type]));

interface Tally {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  /** Cost of what is asked of the schema itself, whose nesting graphql-js bounds. */
  introspection: number;
}

/** Refuses operations that ask for more than anyone needs. */
export const limitOperation: ValidationRule = (context: ValidationContext): ASTVisitor => ({
  // "Any Name within a GraphQL type system must not start with two underscores": the executor uses those itself.
  Field({ alias, name }) {
    if (alias && alias.value !== name.value) refuseReserved(context, alias.value);
  },
  StringValue({ value }) {
    if (!isStorable(value)) context.reportError(badRequest(UNSTORABLE));
  },
  VariableDefinition({ variable }) {
    refuseReserved(context, variable.name.value);
  },
  OperationDefinition(operation) {
    const tally: Tally = {
      depth: 0,
      aliases: 0,
      directives: operation.directives?.length ?? 0,
      cost: 0,
      introspection: 0,
    };
    const measure = new Measure(context, tally);
    const rootFields = measure.selections(operation.selectionSet, {
      type: context.getType() ?? undefined,
      depth: 1,
      times: 1,
      inside: new Set(),
      isSchema: false,
    });
    const reported = [...Object.entries(tally), ['rootFields', rootFields] as const];
    for (const [what, count] of reported) {
      const most = MOST[what as keyof typeof MOST];
      if (count > most) context.reportError(tooMuch(what, count, most));
    }
  },
});

function refuseReserved(context: ValidationContext, name: string): void {
  if (name.startsWith('__'))
    context.reportError(
      badRequest(`Names with two underscores are reserved: \`${name}\` can be no alias or variable.`),
    );
}

function tooMuch(what: string, count: number, most: number): GraphQLError {
  return badRequest(
    `The operation asks for too much: its ${what} is ${count > 1e6 ? 'over a million' : count}, at most ${most} are served.`,
  );
}

interface Place {
  /** Type the fields are selected on; undefined where the document is wrong anyway. */
  readonly type: GraphQLOutputType | undefined;
  readonly depth: number;
  /** How often this place is estimated to come up in an answer. */
  readonly times: number;
  /** Fragments on the way here: a cycle is another rule's to report. */
  readonly inside: ReadonlySet<string>;
  /** Below `__schema` or `__type`. */
  readonly isSchema: boolean;
}

class Measure {
  /** Fragments are walked where they are spread, each spread a step: this bounds the walk itself. */
  private steps = 0;

  constructor(
    private readonly context: ValidationContext,
    private readonly tally: Tally,
  ) {}

  /** Measures a selection set and tells how many fields it has, fragments included. */
  selections(set: SelectionSetNode, place: Place): number {
    let fields = 0;
    for (const selection of set.selections) {
      if (++this.steps > 10 * MOST.cost) {
        this.tally.cost = Infinity;
        return fields;
      }
      this.tally.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FIELD) fields += this.field(selection, place);
      else if (selection.kind === Kind.INLINE_FRAGMENT)
        fields += this.selections(selection.selectionSet, this.narrowed(selection, place));
      else fields += this.spread(selection.name.value, place);
    }
    return fields;
  }

  private spread(name: string, place: Place): number {
    const fragment = this.context.getFragment(name);
    if (!fragment || place.inside.has(name)) return 0;
    return this.selections(fragment.selectionSet, {
      ...this.narrowed(fragment, place),
      inside: new Set([...place.inside, name]),
    });
  }

  private field(field: FieldNode, place: Place): number {
    const meta = META_FIELDS.get(field.name.value);
    const isSchema = place.isSchema || meta !== undefined;
    if (field.alias) this.tally.aliases++;
    if (!isSchema) this.tally.depth = Math.max(this.tally.depth, place.depth);
    this.tally[isSchema ? 'introspection' : 'cost'] += place.times;
    if (!field.selectionSet) return 1;
    const type = meta ?? fieldType(place.type, field.name.value);
    const times = place.times * (type && isListed(type) ? ITEMS_PER_LIST : 1);
    this.selections(field.selectionSet, { ...place, isSchema, type, depth: place.depth + 1, times });
    return 1;
  }

  private narrowed({ typeCondition }: InlineFragmentNode | FragmentDefinitionNode, place: Place): Place {
    const type = typeCondition && this.context.getSchema().getType(typeCondition.name.value);
    return isCompositeType(type) ? { ...place, type } : place;
  }
}

function fieldType(parent: GraphQLOutputType | undefined, name: string): GraphQLOutputType | undefined {
  const type = parent && getNamedType(parent);
  return isCompositeType(type) && !isUnionType(type) ? type.getFields()[name]?.type : undefined;
}

function isListed(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isListType(type.ofType) : isListType(type);
}
