import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLInputType,
} from 'graphql';
import type { Random } from './random.js';

interface Literal {
  readonly text: string;
  readonly value: unknown;
}

const LEAVES: Readonly<Record<string, (random: Random) => unknown>> = {
  Int: (random) => random.below(20) - 5,
  Float: (random) => random.below(40) / 4,
  String: (random) => random.pick(['', 'a', 'é"\\', 'long text']),
  Boolean: (random) => random.chance(50),
  ID: (random) => `id${random.below(5)}`,
};

/** Writes random argument values and declares variables for some of them. */
export class RandomInputs {
  /** The values of the variables. A variable may have none. */
  readonly values: Record<string, unknown> = {};
  private readonly declared: string[] = [];

  constructor(private readonly random: Random) {}

  /** Returns the list of variables of the operation. */
  declarations(): string {
    return this.declared.length > 0 ? `(${this.declared.join(', ')})` : '';
  }

  /** Returns the text of a value or a variable. @param hasDefault whether a variable of the type without null fits */
  text(type: GraphQLInputType, hasDefault = false): string {
    if (this.random.chance(35)) return this.variable(type, hasDefault);
    return this.literal(type).text;
  }

  /** Returns a Boolean or a variable. */
  condition(): string {
    if (this.random.chance(30)) return String(this.random.chance(50));
    const name = `$c${this.random.below(3)}`;
    if (!Object.hasOwn(this.values, name.slice(1))) {
      this.values[name.slice(1)] = this.random.chance(50);
      this.declared.push(`${name}: Boolean!`);
    }
    return name;
  }

  private variable(type: GraphQLInputType, hasDefault: boolean): string {
    const name = `v${this.declared.length}`;
    const isNullable = !isNonNullType(type);
    const hasOwnDefault = this.random.chance(20);
    const text = hasOwnDefault ? ` = ${this.plain(type).text}` : '';
    const canBeMissing = isNullable || hasOwnDefault;
    this.declared.push(`$${name}: ${type.toString()}${text}`);
    if (!canBeMissing || this.random.chance(75)) this.values[name] = this.plain(type).value;
    else if (isNullable && !hasDefault && this.random.chance(30)) this.values[name] = null;
    return `$${name}`;
  }

  /** Returns a value that may have variables inside. */
  private literal(type: GraphQLInputType): Literal {
    return this.value(type, (inner) =>
      this.random.chance(20) ? { text: this.variable(inner, false), value: null } : undefined,
    );
  }

  private plain(type: GraphQLInputType): Literal {
    return this.value(type, () => undefined);
  }

  private value(type: GraphQLInputType, replace: (type: GraphQLInputType) => Literal | undefined, depth = 0): Literal {
    if (isNonNullType(type)) return this.present(type.ofType, replace, depth);
    return this.random.chance(8) ? { text: 'null', value: null } : this.present(type, replace, depth);
  }

  private present(
    type: GraphQLInputType,
    replace: (type: GraphQLInputType) => Literal | undefined,
    depth: number,
  ): Literal {
    const inner = (child: GraphQLInputType) => replace(child) ?? this.value(child, replace, depth + 1);
    if (isListType(type)) {
      const items = Array.from({ length: this.random.below(3) }, () => inner(type.ofType));
      return { text: `[${items.map(({ text }) => text).join(', ')}]`, value: items.map(({ value }) => value) };
    }
    if (isEnumType(type)) {
      const { name } = this.random.pick(type.getValues());
      return { text: name, value: name };
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isRequiredInputField(field) || (depth < 3 && this.random.chance(50)),
      );
      const entries = fields.map((field) => [field.name, inner(field.type)] as const);
      return {
        text: `{${entries.map(([name, { text }]) => `${name}: ${text}`).join(', ')}}`,
        value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
      };
    }
    return this.leaf(type.toString());
  }

  private leaf(name: string): Literal {
    const make = LEAVES[name];
    if (make) {
      const value = make(this.random);
      return { text: JSON.stringify(value), value };
    }
    return this.random.pick(JSON_VALUES);
  }
}

/** Values of a scalar without a parser. */
const JSON_VALUES: readonly Literal[] = [
  { text: '1', value: 1 },
  { text: '"j"', value: 'j' },
  { text: 'true', value: true },
  { text: '[1, [null, "a"]]', value: [1, [null, 'a']] },
  { text: '{a: {b: [1.5]}, c: null}', value: { a: { b: [1.5] }, c: null } },
];
