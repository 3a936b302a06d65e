import { isDeepStrictEqual } from 'node:util';
import {
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { snakeCase } from '../operations.js';

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A field of an answer. */
export interface AnswerField {
  readonly name: string;
  readonly shape: JsonSchema;
  /** The fields of its object, empty if it has none. */
  readonly fields: readonly AnswerField[];
  /** Whether every answer has it. */
  readonly isRequired: boolean;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  ID: { type: 'string' },
  SafeInt: { type: 'integer', format: 'int64' },
  DateTime: { type: 'string', format: 'date-time' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  Int64: { type: ['integer', 'string'], format: 'int64' },
  UInt64: { type: 'integer', format: 'uint64', minimum: 0 },
  ByteArray: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } },
  IntegerList: { type: 'array', items: { type: 'integer', format: 'int32' } },
  IntegerOrString: { type: ['integer', 'string'] },
  Upload: { type: 'string', format: 'binary' },
  Decimal: { type: 'string', pattern: '^-?\\d{1,20}(\\.\\d{1,18})?$' },
};

/** Scalars whose input accepts more forms than their output has. */
const REQUEST_SCALARS: Readonly<Record<string, JsonSchema>> = {
  ByteArray: {
    anyOf: [
      { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } },
      { type: 'string', pattern: '^([0-9a-fA-F]{2})*$' },
    ],
  },
  Decimal: { type: ['string', 'number'], pattern: '^-?\\d{1,20}(\\.\\d{1,18})?$' },
  UInt64: { type: ['integer', 'string'], format: 'uint64' },
};

/** Writes GraphQL types as JSON Schema. Fragments and input types become components. */
export class Shapes {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    readonly components: Record<string, JsonSchema> = {},
    /** Fields that are left out when they are null. */
    private readonly omitted: ReadonlySet<string> = new Set(),
  ) {}

  /** A writer for answers that leave these fields out when they are null, at any depth. */
  omitting(fields: readonly string[]): Shapes {
    return fields.length === 0 ? this : new Shapes(this.schema, this.fragments, this.components, new Set(fields));
  }

  /** The schema of a request value of this type, except null. */
  input(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.input(type.ofType);
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) };
    if (isEnumType(type)) return enumShape(type);
    if (isInputObjectType(type)) return this.inputObject(type);
    return REQUEST_SCALARS[type.name] ?? scalarShape(type.name, type.description);
  }

  private inputObject(type: GraphQLInputObjectType): JsonSchema {
    return this.component(type.name, () => {
      const fields = Object.values(type.getFields());
      const properties = fields.map(({ name, type: of, description }) => {
        const shape = isNonNullType(of) ? this.input(of) : orNull(this.input(of));
        return [snakeCase(name), described(shape, description)] as const;
      });
      const required = fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined);
      return described(objectShape(properties, names(required).map(snakeCase)), type.description);
    });
  }

  /** The schema of an answer value of this type with this selection. */
  output(type: GraphQLOutputType, selected: SelectionSetNode | undefined): JsonSchema {
    return isNonNullType(type) ? this.present(type.ofType, selected) : orNull(this.present(type, selected));
  }

  private present(type: GraphQLOutputType, selected: SelectionSetNode | undefined): JsonSchema {
    if (isNonNullType(type)) return this.present(type.ofType, selected);
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType, selected) };
    if (isEnumType(type)) return enumShape(type);
    if (isCompositeType(type)) return selected ? this.object(type, selected) : { type: 'object' };
    return scalarShape(type.name, type.description);
  }

  private object(type: GraphQLCompositeType, selected: SelectionSetNode): JsonSchema {
    const fragment = this.onlyFragment(selected);
    if (fragment?.typeCondition.name.value !== type.name) return fieldsShape(this.fields(type, selected));
    const shapeBy = (shapes: Shapes) =>
      described(fieldsShape(shapes.fields(type, fragment.selectionSet)), type.description);
    const { value: name } = fragment.name;
    if (this.omitted.size === 0) return this.component(name, () => shapeBy(this));
    const shape = shapeBy(this);
    const isWhole = isDeepStrictEqual(shape, shapeBy(new Shapes(this.schema, this.fragments)));
    const own = isWhole ? name : `${name}WithoutNulls`;
    // The component can exist with other omitted fields, from another route.
    return isDeepStrictEqual(this.components[own] ?? shape, shape) ? this.component(own, () => shape) : shape;
  }

  private onlyFragment({ selections }: SelectionSetNode): FragmentDefinitionNode | undefined {
    const [only] = selections;
    if (selections.length !== 1 || only?.kind !== Kind.FRAGMENT_SPREAD || isConditional(only)) return undefined;
    return this.fragments.get(only.name.value);
  }

  /** The fields of a selection, including those of fragments. */
  fields(type: GraphQLCompositeType, { selections }: SelectionSetNode, isRequired = true): AnswerField[] {
    return selections.flatMap((selection) => {
      const required = isRequired && !isConditional(selection);
      if (selection.kind === Kind.FIELD) return [this.field(type, selection, required)];
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.fragments.get(selection.name.value);
      if (!fragment) return [];
      const condition = fragment.typeCondition && this.schema.getType(fragment.typeCondition.name.value);
      const narrowed = isCompositeType(condition) ? condition : type;
      const always = narrowed === type || (isAbstractType(narrowed) && !isAbstractType(type));
      return this.fields(narrowed, fragment.selectionSet, required && always);
    });
  }

  private field(parent: GraphQLCompositeType, node: FieldNode, isRequired: boolean): AnswerField {
    const name = node.alias?.value ?? node.name.value;
    const definition = isUnionType(parent) ? undefined : parent.getFields()[node.name.value];
    if (!definition) return { name, shape: { type: 'string' }, fields: [], isRequired }; // __typename
    const type = getNullableType(definition.type);
    const isOmitted = this.omitted.has(name) && type === definition.type;
    const present = isOmitted ? this.present(type, node.selectionSet) : this.output(definition.type, node.selectionSet);
    const shape = described(present, definition.description);
    const fields = node.selectionSet && isCompositeType(type) ? this.fields(type, node.selectionSet) : [];
    return { name, shape, fields, isRequired: isRequired && !isOmitted };
  }

  /** A reference to a component, which is written at its first use. */
  component(name: string, write: () => JsonSchema): JsonSchema {
    if (!Object.hasOwn(this.components, name)) {
      this.components[name] = {}; // reserved, for references to itself
      this.components[name] = write();
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

function isConditional({ directives = [] }: SelectionNode): boolean {
  return directives.some(({ name }) => name.value === 'include' || name.value === 'skip');
}

function enumShape(type: GraphQLEnumType): JsonSchema {
  return { type: 'string', enum: names(type.getValues()) };
}

function scalarShape(name: string, description: string | null | undefined): JsonSchema {
  return SCALARS[name] ?? described({}, description);
}

function names(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}

/** The schema of an object with these fields. */
export function fieldsShape(fields: readonly AnswerField[]): JsonSchema {
  const properties = fields.map(({ name, shape }) => [name, shape] as const);
  return objectShape(properties, names(fields.filter(({ isRequired }) => isRequired)));
}

/** The schema of an object with these properties. */
export function objectShape(
  properties: readonly (readonly [string, JsonSchema])[],
  required: readonly string[],
): JsonSchema {
  const shape = { type: 'object', properties: Object.fromEntries(properties) };
  return required.length > 0 ? { ...shape, required } : shape;
}

/** The schema, or null. */
export function orNull(shape: JsonSchema): JsonSchema {
  const { type, enum: choices } = shape;
  if (Object.keys(shape).length === 0) return shape;
  if (typeof type !== 'string' && !Array.isArray(type)) return { anyOf: [shape, { type: 'null' }] };
  return {
    ...shape,
    type: [type, 'null'].flat(),
    ...(Array.isArray(choices) && { enum: [...(choices as unknown[]), null] }),
  };
}

/** The schema with its description in the SDL. */
export function described(shape: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...shape, description } : shape;
}
