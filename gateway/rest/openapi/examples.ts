import { CIPHERTEXT, TIME, VALUE_BY_NAME, VALUES_OF_OPERATION } from './example-values.js';
import type { JsonSchema } from './shapes.js';

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  'date-time': TIME,
  uri: 'https://cloud.example/?page=2',
  binary: CIPHERTEXT,
};

/** Objects nested deeper than this are shown empty. */
const MAX_DEPTH = 8;

interface Composed {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Writes examples for schemas, from the names of their fields. */
export class Examples {
  constructor(
    private readonly components: Readonly<Record<string, JsonSchema>>,
    private readonly values = VALUE_BY_NAME,
  ) {}

  /** Returns examples with the values of one operation. */
  forOperation(operationId: string): Examples {
    return new Examples(this.components, { ...VALUE_BY_NAME, ...VALUES_OF_OPERATION[operationId] });
  }

  /** Returns a value that is valid for the schema. */
  valueFor(schema: JsonSchema, name = '', depth = 0): unknown {
    const { allOf, examples, default: preset, properties } = schema as Composed;
    const [given = preset] = examples ?? [];
    if (given !== undefined) return given;
    const inner = (of: JsonSchema) => this.valueFor(of, name, depth + 1);
    const single = this.single(schema, name);
    if (single) return inner(single);
    if (allOf) return Object.assign({}, ...allOf.map(inner)) as object;
    return this.record(properties, depth) ?? this.plain(schema, name, depth);
  }

  /** Resolves a `$ref`, or selects the alternative of `anyOf` that accepts the example value of this name. */
  private single({ $ref, anyOf }: Composed, name: string): JsonSchema | undefined {
    if ($ref !== undefined) return this.components[$ref.split('/').at(-1) ?? ''];
    return anyOf?.find((choice) => admits(choice, this.values[name])) ?? anyOf?.[0];
  }

  private record(properties: Composed['properties'], depth: number): object | undefined {
    if (!properties) return undefined;
    if (depth > MAX_DEPTH) return {};
    const shown = Object.entries(properties).filter(([name]) => !this.isOmitted(name));
    return Object.fromEntries(shown.map(([name, shape]) => [name, this.valueFor(shape, name, depth + 1)] as const));
  }

  private isOmitted(name: string): boolean {
    return Object.hasOwn(this.values, name) && this.values[name] === undefined;
  }

  private plain(schema: JsonSchema, name: string, depth: number): unknown {
    const { enum: choices, format, items } = schema;
    const types = [schema.type].flat();
    const known = this.values[name];
    if (format !== 'uri' && known !== undefined && admits(schema, known)) return known;
    if (Array.isArray(choices)) return choices[0] as unknown;
    if (typeof format === 'string' && format in BY_FORMAT) return BY_FORMAT[format];
    if (types.includes('array')) return [this.valueFor((items ?? {}) as JsonSchema, name, depth + 1)];
    return byType(schema, types, name);
  }
}

function byType({ additionalProperties, pattern }: JsonSchema, types: readonly unknown[], name: string): unknown {
  if (types.includes('boolean')) return true;
  if (types.includes('integer') || types.includes('number')) return 1;
  if (types.includes('string')) return pattern === undefined ? name : '1';
  if (types.includes('null')) return null;
  return additionalProperties ? { other: 2, other_bytes: 4096 } : {};
}

function admits({ type, enum: words, pattern }: JsonSchema, value: unknown): boolean {
  if (Array.isArray(words)) return words.includes(value);
  if (!isOfType(value, [type].flat())) return false;
  return typeof pattern !== 'string' || typeof value !== 'string' || new RegExp(pattern).test(value);
}

function isOfType(value: unknown, types: readonly unknown[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value);
}
