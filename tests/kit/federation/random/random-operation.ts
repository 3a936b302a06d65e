import {
  isAbstractType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
  validate,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Request } from '../executors.js';
import { RandomInputs } from './random-inputs.js';
import { Random } from './random.js';
import { INTERFACE_OBJECT } from '../supergraph-model.js';

/** A request, and whether it selects fields of only some types of an interface object. */
type RandomRequest = Request & { readonly isNarrowed: boolean };

/** Returns a random valid request, or undefined when the random text is not valid. */
export function randomRequest(schema: GraphQLSchema, seed: string): RandomRequest | undefined {
  const request = new OperationWriter(schema, new Random(seed)).request();
  const document = parse(request.text);
  return validate(schema, document).length > 0 ? undefined : { ...request, document };
}

/** A place of the operation: its type, and the names that its fields already have in the response. */
interface Scope {
  readonly type: GraphQLCompositeType;
  readonly path: string;
  readonly depth: number;
  /** Whether this is below a fragment on some types of an interface object. */
  readonly isNarrowed: boolean;
}

const FIELD_LIMIT = 40;
const DEPTH_LIMIT = 5;

class OperationWriter {
  private readonly fragments: { readonly name: string; readonly type: GraphQLCompositeType; readonly text: string }[] =
    [];
  /** The field with its arguments, by place in the response. */
  private readonly names = new Map<string, string>();
  private inputs: RandomInputs;
  private fields = 0;
  private isNarrowed = false;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: Random,
  ) {
    this.inputs = new RandomInputs(random);
  }

  request(): Omit<RandomRequest, 'document'> & { readonly text: string } {
    const count = this.random.chance(15) ? 2 : 1;
    const texts: string[] = [];
    for (let i = 0; i < count; i++) texts.push(this.operation(`Op${i}`));
    const fragments = this.fragments.map(({ name, type, text }) => `fragment ${name} on ${type.name} ${text}`);
    const operationName = `Op${count - 1}`;
    const text = [...texts, ...fragments].join('\n');
    return { text, operationName, variables: this.inputs.values, isNarrowed: this.isNarrowed };
  }

  /** Fragments use variables, so that each operation declares all of them and the last one names the values. */
  private operation(name: string): string {
    this.names.clear();
    this.fields = 0;
    const mutation = this.schema.getMutationType();
    const isMutation = mutation && this.random.chance(20);
    const type = isMutation ? mutation : this.schema.getQueryType();
    if (!type) throw new Error('the schema has no Query');
    if (name !== 'Op0') this.inputs = new RandomInputs(this.random);
    this.fragments.length = name === 'Op0' ? 0 : this.fragments.length;
    const text = this.selection({ type, path: '', depth: 0, isNarrowed: false });
    return `${isMutation ? 'mutation' : 'query'} ${name}${this.inputs.declarations()} ${text}`;
  }

  private selection(scope: Scope): string {
    const count = 1 + this.random.below(scope.depth === 0 ? 4 : 5);
    const parts: string[] = [];
    for (let i = 0; i < count; i++) parts.push(...this.part(scope));
    return parts.length > 0 ? `{ ${parts.join(' ')} }` : '{ __typename }';
  }

  private part(scope: Scope): string[] {
    const dice = this.random.below(100);
    if (dice < 8) return [`${this.random.chance(30) ? 'kind: ' : ''}__typename${this.conditions()}`];
    const isFragment = dice < (isAbstractType(scope.type) ? 60 : 22);
    if (isFragment && scope.depth < DEPTH_LIMIT) return this.fragment(scope);
    return this.field(scope);
  }

  private fragment(scope: Scope): string[] {
    const known = this.fragments.filter(({ type }) => this.canSpread(scope, type));
    if (known.length > 0 && this.random.chance(25)) return [`...${this.random.pick(known).name}${this.conditions()}`];
    const type = this.random.pick(this.conditionsOn(scope.type));
    const isNarrowed = this.narrows(scope, type);
    const text = this.selection({ ...scope, type, isNarrowed, depth: scope.depth + 1 });
    if (this.random.chance(30)) {
      const name = `F${this.fragments.length}`;
      this.fragments.push({ name, type, text });
      return [`...${name}${this.conditions()}`];
    }
    const on = type === scope.type && this.random.chance(30) ? '' : ` on ${type.name}`;
    return [`...${on}${this.conditions()} ${text}`];
  }

  /** Returns the types that a fragment at this place can name. */
  private conditionsOn(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = this.possible(type);
    const all = [type, ...possible, ...possible.flatMap((object) => object.getInterfaces())];
    return all.filter((condition) => this.overlaps(type, condition));
  }

  /** Below some types of an interface object a name has one meaning, which a known fragment could change. */
  private canSpread({ type, isNarrowed }: Scope, condition: GraphQLCompositeType): boolean {
    if (isNarrowed) return false;
    return type.name === INTERFACE_OBJECT ? condition === type : this.overlaps(condition, type);
  }

  /** Notes a fragment on some types of an interface object: the planner fetches its fields for all of them (decision 0002). */
  private narrows({ type, isNarrowed }: Scope, condition: GraphQLCompositeType): boolean {
    const narrows = type.name === INTERFACE_OBJECT && condition !== type;
    this.isNarrowed ||= narrows;
    return isNarrowed || narrows;
  }

  private possible(type: GraphQLCompositeType): readonly GraphQLObjectType[] {
    return isObjectType(type) ? [type] : this.schema.getPossibleTypes(type);
  }

  private overlaps(a: GraphQLCompositeType, b: GraphQLCompositeType): boolean {
    return this.possible(a).some((type) => this.possible(b).includes(type));
  }

  private field(scope: Scope): string[] {
    if (!('getFields' in scope.type) || this.fields >= FIELD_LIMIT) return [];
    const all = Object.values(scope.type.getFields());
    const candidates = scope.depth >= DEPTH_LIMIT ? all.filter(({ type }) => isLeafType(namedType(type))) : all;
    if (candidates.length === 0) return [];
    const field = this.random.pick(candidates);
    this.fields++;
    const args = this.arguments(field);
    const name = this.responseName(field, args, scope, all);
    const type = namedType(field.type);
    const child = isCompositeType(type)
      ? ` ${this.selection({ ...scope, type, path: `${scope.path}/${name}`, depth: scope.depth + 1 })}`
      : '';
    return [`${name === field.name ? '' : `${name}: `}${field.name}${args}${this.conditions()}${child}`];
  }

  /** Returns the name of the field, or an alias: a free one, or the name of another field. */
  private responseName(field: Field, args: string, { path, isNarrowed }: Scope, all: readonly Field[]): string {
    const dice = this.random.below(100);
    const wanted = dice < 10 ? this.random.pick(all).name : dice < 20 ? this.random.pick(ALIASES) : field.name;
    const signature = `${field.name}${args}:${field.type.toString()}`;
    const place = `${path}/${wanted}`;
    const other = this.names.get(place) ?? signature;
    if (other !== signature && (isNarrowed || !this.random.chance(3))) return `x${this.names.size}_${this.fields}`;
    this.names.set(place, signature);
    return wanted;
  }

  private arguments({ args }: Field): string {
    const chosen = args.filter((argument) => isRequiredArgument(argument) || this.random.chance(50));
    const texts = chosen.map(
      ({ name, type, defaultValue }) => `${name}: ${this.inputs.text(type, defaultValue !== undefined)}`,
    );
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  private conditions(): string {
    const skip = this.random.chance(6) ? ` @skip(if: ${this.inputs.condition()})` : '';
    const include = this.random.chance(6) ? ` @include(if: ${this.inputs.condition()})` : '';
    return skip + include;
  }
}

type Field = GraphQLField<unknown, unknown>;

const ALIASES = ['a', 'b', 'id', 'tag', 'name0', 'representations'];

function namedType(type: Field['type']): Field['type'] {
  return 'ofType' in type ? namedType(type.ofType) : type;
}
