import { isJsonNumber } from '../../../kernel/scalars/exact-json.js';
import { TYPENAME, type Data, type FailedNulls } from '../execution.js';
import type { Path } from './targets.js';

/** Types whose name is no type of an object: a subgraph answers with it for an interface object. */
export type InterfaceNames = ReadonlySet<unknown>;

/** How answers are merged. */
export interface Merging {
  readonly interfaces: InterfaceNames;
  /** These nulls stay: the object that another answer has there lacks the field of the error. */
  readonly failedNulls: FailedNulls;
}

/** Merges an answer into the data, deeply. Lists of one length are merged item by item; other values are replaced. */
export function merge(target: Data, source: Data, merging: Merging): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined || key === '__proto__') continue;
    if (key !== TYPENAME || target[key] === undefined || !merging.interfaces.has(value))
      mergeAt(target, key, { value, merging });
  }
}

function mergeAt(
  container: object,
  key: string | number,
  { value, merging }: { readonly value: unknown; readonly merging: Merging },
): void {
  const values = container as Record<string | number, unknown>;
  const present = values[key];
  if (present === null && merging.failedNulls.get(container)?.has(key)) return;
  if (!isObject(present) || !isObject(value)) values[key] = value;
  else if (!Array.isArray(value)) merge(present as Data, value as Data, merging);
  else if (!Array.isArray(present) || present.length !== value.length) values[key] = value;
  else for (let index = 0; index < value.length; index++) mergeAt(present, index, { value: value[index], merging });
}

/** Notes the nulls that an error has left. @param path of the error below the targets, which have the answer */
export function noteFailedNulls(failedNulls: FailedNulls, targets: readonly object[], path: Path = []): void {
  for (let container of targets)
    for (const key of path) {
      const value = (container as Record<string | number, unknown>)[key];
      if (value === null) failedNulls.set(container, (failedNulls.get(container) ?? new Set()).add(key));
      if (!isObject(value)) break;
      container = value;
    }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isJsonNumber(value);
}
