import type { GraphQLLeafType } from 'graphql';
import { leafText, leafValue, type Leaf } from './leaves.js';

/** How compiled writers build a response, in JavaScript source. */
export interface Format {
  readonly null: string;
  readonly leaf: (type: GraphQLLeafType) => Leaf;
  /** Returns an expression for a constant text. */
  readonly constant: (text: string) => string;
  /** Returns an expression for any JSON value. */
  readonly json: (value: string) => string;
  readonly emptyList: string;
  /** Returns a statement that adds an item to a list. */
  readonly addItem: (list: string, item: string, index: string) => string;
  readonly endList: (list: string) => string;
  /** Returns an expression for an object. @param keys that will be added */
  readonly emptyObject: (keys: readonly string[]) => string;
  /** Returns a statement that adds a field. @param at its index; undefined if fields before it may be missing */
  readonly addField: (key: string, value: string, at: number | undefined) => string;
  readonly endObject: string;
}

/** An alias that cannot be assigned. */
const PROTOTYPE = '__proto__';

/** Responses as objects, for REST and websockets. */
export const OBJECTS: Format = {
  null: 'null',
  leaf: leafValue,
  constant: (text) => JSON.stringify(text),
  json: (value) => value,
  emptyList: '[]',
  addItem: (list, item) => `${list}.push(${item});`,
  endList: (list) => list,
  // All keys at once, so that the objects of a list have one shape from the start.
  emptyObject: (keys) =>
    JSON.stringify(Object.fromEntries(keys.filter((key) => key !== PROTOTYPE).map((key) => [key, null]))),
  addField: (key, value) =>
    key === PROTOTYPE
      ? `Object.defineProperty(result, '${PROTOTYPE}', { value: ${value}, enumerable: true });`
      : `result[${JSON.stringify(key)}] = ${value};`,
  endObject: 'result',
};

/** Responses as JSON. */
export const TEXT: Format = {
  null: `'null'`,
  leaf: leafText,
  constant: (text) => JSON.stringify(JSON.stringify(text)),
  json: (value) => `JSON.stringify(${value})`,
  emptyList: `'['`,
  addItem: (list, item, index) => `${list} += (${index} === 0 ? '' : ',') + ${item};`,
  endList: (list) => `${list} + ']'`,
  emptyObject: () => `''`,
  addField: (key, value, at) => {
    const name = `${JSON.stringify(key)}:`;
    if (at === undefined) return `result += (result === '' ? '' : ',') + ${JSON.stringify(name)} + ${value};`;
    return `result += ${JSON.stringify(at === 0 ? name : `,${name}`)} + ${value};`;
  },
  endObject: `'{' + result + '}'`,
};
