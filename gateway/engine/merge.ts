import type { Data } from './execution.js';

/** Merges an answer into the data, deeply. Lists of one length are merged item by item; other values are replaced. */
export function merge(target: Data, source: Data): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value !== undefined && key !== '__proto__') target[key] = merged(target[key], value);
  }
}

function merged(present: unknown, value: unknown): unknown {
  if (!isObject(present) || !isObject(value)) return value;
  if (!Array.isArray(value)) merge(present as Data, value as Data);
  else if (!Array.isArray(present) || present.length !== value.length) return value;
  else for (let index = 0; index < value.length; index++) present[index] = merged(present[index], value[index]);
  return present;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
