import { GraphQLError, isNonNullType, Kind, type GraphQLOutputType, type SelectionSetNode } from 'graphql';
import { hash } from './random.js';

export type Values = Readonly<Record<string, unknown>>;

/** An object of the data. Equal ids mean the same object in each subgraph. */
export interface WorldObject {
  readonly typeName: string;
  readonly id: string;
  /** The representation by which a subgraph received the entity. */
  readonly given?: Values;
  /** What the field that returned the object provides of it. */
  readonly provided?: SelectionSetNode;
}

const CODES = ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', undefined];

/** Returns the object with this key. @param key the key fields of the representation */
export function entityOf(representation: Values, key: SelectionSetNode): WorldObject | undefined {
  if (!hasAll(representation, key)) return undefined;
  const id = findId(project(representation, key), String(representation['__typename']));
  return id === undefined ? undefined : { typeName: id.slice(0, id.indexOf(':')), id, given: representation };
}

function hasAll(representation: Values, { selections }: SelectionSetNode): boolean {
  return selections.every((node) => node.kind !== Kind.FIELD || Object.hasOwn(representation, node.name.value));
}

function findId(value: unknown, typeName: string): string | undefined {
  if (typeof value === 'string' && value.includes('|')) return value.slice(value.indexOf('|') + 1);
  if (typeof value === 'number') return `${typeName}:${value}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  for (const child of Object.values(value).toSorted(
    (a, b) => Number(typeof a === 'number') - Number(typeof b === 'number'),
  )) {
    const id = findId(child, typeName);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns the value of a key field, which contains the id of the entity. */
export function keyLeaf(type: GraphQLOutputType, name: string, id: string): unknown {
  const isInt = (isNonNullType(type) ? type.ofType : type).toString() === 'Int';
  return isInt ? Number(id.slice(id.indexOf(':') + 1)) : `${name}|${id}`;
}

/** Returns a value of a scalar. */
export function scalar(name: string, dice: number): unknown {
  const number = (dice >>> 4) % 50;
  if (name === 'Int') return number - 10;
  if (name === 'Float') return number / 4;
  if (name === 'Boolean') return number % 2 === 0;
  if (name === 'String' || name === 'ID') return number === 0 ? '' : `s${number}`;
  const values = [
    number,
    `j${number}`,
    false,
    [1, null, [number]],
    {},
    { __typename: 'T', a: null, id: [{ b: number }] },
  ];
  return values[dice % values.length];
}

/** Returns the error of a field that fails. */
export function failure(key: string): GraphQLError {
  const code = CODES[hash(key) % CODES.length];
  return new GraphQLError('a failure of the data', code === undefined ? {} : { extensions: { code } });
}

/** Applies the change to each object in a value and its lists. */
export function mapObjects(value: unknown, change: (object: WorldObject) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapObjects(item, change));
  return isWorldObject(value) ? change(value) : value;
}

function isWorldObject(value: unknown): value is WorldObject {
  return (
    typeof value === 'object' && value !== null && 'typeName' in value && 'id' in value && typeof value.id === 'string'
  );
}

/** Returns the selected fields of a representation. @throws GraphQLError when one is missing */
export function project(given: Values, { selections }: SelectionSetNode): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (selection.typeCondition?.name.value === given['__typename'])
        Object.assign(result, project(given, selection.selectionSet));
      continue;
    }
    const name = selection.name.value;
    if (!Object.hasOwn(given, name)) throw new GraphQLError(`the representation has no ${name}`);
    const set = selection.selectionSet;
    result[name] = set ? projectEach(given[name], set) : given[name];
  }
  return result;
}

function projectEach(value: unknown, set: SelectionSetNode): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => projectEach(item, set));
  return typeof value === 'object' && value !== null ? project(Object.fromEntries(Object.entries(value)), set) : value;
}

/** Returns JSON with sorted names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  return `{${entries
    .map(([name, child]) => `${name}:${canonical(child)}`)
    .toSorted()
    .join()}}`;
}
