import type { Path } from '../fetch/targets.js';

/** A part of an answer. */
interface Part {
  readonly data: unknown;
  /** Of the data in the response. */
  readonly path: Path;
}

/**
 * The parts of an answer that had errors. The null of an error stays in later parts, as in an answer of one part: a later
 * fragment can have the object, without the field that failed.
 */
export class FailedParts {
  private readonly parts: Part[] = [];

  add(part: Part): void {
    this.parts.push(part);
  }

  /** Whether null is at a path or above it, so that the client has no object there. */
  hasNullAt(path: Path): boolean {
    return this.parts.some(
      ({ data, path: start }) => data !== null && isAbove(start, path) && isNullIn(data, path.slice(start.length)),
    );
  }

  /** Sets what an earlier part has left null to null. */
  keepNulls({ data, path }: Part): void {
    for (const part of this.parts) {
      if (isAbove(part.path, path)) keepNullsOf(valueAt(part.data, path.slice(part.path.length)), data);
      else if (isAbove(path, part.path)) keepNullsOf(part.data, valueAt(data, part.path.slice(path.length)));
    }
  }
}

type Container = Record<string | number, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isAbove(one: Path, other: Path): boolean {
  return one.every((step, at) => step === other[at]);
}

function isNullIn(data: unknown, path: Path): boolean {
  let value = data;
  for (const step of path) {
    if (!isContainer(value)) return value === null;
    value = value[step];
  }
  return value === null;
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (isContainer(value) ? value[step] : undefined), data);
}

/** Both have one place in the response. */
function keepNullsOf(earlier: unknown, later: unknown): void {
  if (!isContainer(earlier) || !isContainer(later)) return;
  for (const key of Object.keys(later)) {
    if (!Object.hasOwn(earlier, key)) continue;
    if (earlier[key] === null) later[key] = null;
    else keepNullsOf(earlier[key], later[key]);
  }
}
