import { TYPENAME, type Data } from '../execution.js';

/** Types whose name is no type of an object: a subgraph answers with it for an interface object. */
export type InterfaceNames = ReadonlySet<unknown>;

/** Merges an answer into the data, deeply. Lists of one length are merged item by item; other values are replaced. */
export function merge(target: Data, source: Data, interfaces: InterfaceNames): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined || key === '__proto__') continue;
    const present = target[key];
    if (key !== TYPENAME || present === undefined || !interfaces.has(value))
      target[key] = merged(present, value, interfaces);
  }
}

function merged(present: unknown, value: unknown, interfaces: InterfaceNames): unknown {
  if (!isObject(present) || !isObject(value)) return value;
  if (!Array.isArray(value)) merge(present as Data, value as Data, interfaces);
  else if (!Array.isArray(present) || present.length !== value.length) return value;
  else
    for (let index = 0; index < value.length; index++)
      present[index] = merged(present[index], value[index], interfaces);
  return present;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
