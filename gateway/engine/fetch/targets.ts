import type { ResponsePath } from '@apollo/query-planner';
import type { Data } from '../execution.js';

export type Path = readonly (string | number)[];

/** Returns the objects at a path of the plan, where `@` stands for each item of a list. Nulls are left out. */
export function objectsAt(data: Data, path: ResponsePath): readonly Data[] {
  let level: Data[] = [data];
  for (const step of path) {
    const next: Data[] = [];
    for (const parent of level) addBelow(next, parent, step);
    level = next;
  }
  return level;
}

function addBelow(objects: Data[], parent: Data, step: string | number): void {
  if (step !== '@') addObject(objects, Object.hasOwn(parent, step) ? parent[step] : undefined);
  else if (Array.isArray(parent)) for (const item of parent) addObject(objects, item);
}

function addObject(objects: Data[], value: unknown): void {
  if (typeof value === 'object' && value !== null) objects.push(value as Data);
}

/** Returns the places of these objects in the response, for errors. */
export function pathsOf(data: Data, path: ResponsePath, objects: ReadonlySet<object>): readonly Path[] {
  const found: Path[] = [];
  visitAt(data, path, (object, place) => void (objects.has(object) && found.push(place)));
  return found;
}

/** Returns the places in the response of each object at a path of the plan. */
export function placesAt(data: Data, path: ResponsePath): ReadonlyMap<object, readonly Path[]> {
  const places = new Map<object, Path[]>();
  visitAt(data, path, (object, place) => {
    const known = places.get(object);
    if (known) known.push(place);
    else places.set(object, [place]);
  });
  return places;
}

function visitAt(data: Data, path: ResponsePath, visit: (object: object, place: Path) => void): void {
  const descend = (value: unknown, depth: number, place: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    const step = path[depth];
    if (step === undefined) return visit(value, place);
    const keys = step === '@' && Array.isArray(value) ? value.keys() : [step];
    for (const key of keys) descend((value as Record<string | number, unknown>)[key], depth + 1, [...place, key]);
  };
  descend(data, 0, []);
}
