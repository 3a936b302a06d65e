import { Kind, type FieldNode, type GraphQLError, type SelectionNode } from 'graphql';
import { originalName } from '../operation/aliases.js';
import { deferredId } from '../operation/deferral.js';
import type { Path } from '../fetch/targets.js';

/** A part of the answer. */
interface AnsweredPart {
  readonly selections: readonly SelectionNode[];
  readonly data: unknown;
  /** Of the data in the response. */
  readonly path: Path;
}

/**
 * Whether an error is reported with this part: its field is selected here, or is below a null of this part. False: a
 * fragment that is deferred here reports it. Undefined: the part does not have the field.
 */
export function isReportedAt({ selections, data, path }: AnsweredPart, error: GraphQLError): boolean | undefined {
  if (!error.path || path.some((step, at) => error.path?.[at] !== step)) return undefined;
  const below = error.path.slice(path.length);
  let place: Place = { here: selections, deferred: undefined };
  let boundary = 0;
  for (const [depth, step] of below.entries()) {
    if (typeof step === 'number') continue;
    const next = placeBelow(place, step);
    if (place.here && !next.here) boundary = depth;
    place = next;
  }
  if (place.here) return true;
  return place.deferred ? valueAt(data, below.slice(0, boundary)) === null : undefined;
}

type Selections = readonly SelectionNode[];

/** The selections at a path; undefined where the field of the path is not selected. */
interface Place {
  readonly here: Selections | undefined;
  /** In fragments that are deferred here. */
  readonly deferred: Selections | undefined;
}

interface Found {
  readonly here: FieldNode[];
  readonly deferred: FieldNode[];
}

function placeBelow({ here = [], deferred = [] }: Place, key: string): Place {
  const found: Found = { here: [], deferred: [] };
  find(here, key, found, false);
  find(deferred, key, found, true);
  return { here: selectionsOf(found.here), deferred: selectionsOf(found.deferred) };
}

/** Finds the fields with this key. */
function find(selections: Selections, key: string, found: Found, isDeferred: boolean): void {
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT)
      find(selection.selectionSet.selections, key, found, isDeferred || deferredId(selection) !== undefined);
    else if (selection.kind === Kind.FIELD && originalName((selection.alias ?? selection.name).value) === key)
      (isDeferred ? found.deferred : found.here).push(selection);
  }
}

function selectionsOf(fields: readonly FieldNode[]): Selections | undefined {
  if (fields.length === 0) return undefined;
  return fields.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
}

/** Returns the value at a path; null where the data ends before. */
export function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = Object.hasOwn(value, step) ? (value as Readonly<Record<string | number, unknown>>)[step] : null;
  }
  return value ?? null;
}
