import type { ResponsePath } from '@apollo/query-planner';
import type { Data } from './execution.js';

export type Path = readonly (string | number)[];

/** A value of the merged data and its place. */
interface Target<Value = object> {
  readonly value: Value;
  readonly parent: Target | undefined;
  readonly key: string | number;
}

/** Returns the objects at a path of the plan, where `@` stands for each item of a list. Nulls are left out. */
export function targetsAt(data: Data, path: ResponsePath): readonly Target<Data>[] {
  let level: Target[] = [{ value: data, parent: undefined, key: '' }];
  for (const step of path) {
    const next: Target[] = [];
    for (const parent of level) addBelow(next, parent, step);
    level = next;
  }
  return level as Target<Data>[];
}

function addBelow(targets: Target[], parent: Target, step: string | number): void {
  const { value } = parent;
  if (step !== '@') addValue(targets, parent, step);
  else if (Array.isArray(value)) for (let index = 0; index < value.length; index++) addValue(targets, parent, index);
}

function addValue(targets: Target[], parent: Target, key: string | number): void {
  const value = Object.hasOwn(parent.value, key) ? (parent.value as Data)[key] : undefined;
  if (typeof value === 'object' && value !== null) targets.push({ value, parent, key });
}

/** Returns the path of a target in the response. */
export function pathOf({ parent, key }: Target): Path {
  return parent ? [...pathOf(parent), key] : [];
}
