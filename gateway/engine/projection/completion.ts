import { GraphQLError } from 'graphql';
import { badRequest } from '../../../kernel/errors.js';
import { CLASH_PREFIX } from '../operation/aliases.js';
import type { Data, Execution } from '../execution.js';
import type { Path } from '../fetch/targets.js';

/** Returns an object of the merged data in the shape of the response; undefined when its null moves to the parent. */
export type Project = (value: Data, completion: Completion) => unknown;

/** A deferred fragment on objects of one type. */
export interface DeferredProjection {
  readonly id: number;
  readonly project: Project;
}

/** A deferred fragment on one object of the merged data. */
export interface DeferredObject extends DeferredProjection {
  readonly value: Data;
  readonly path: Path;
}

/** Maximum characters of the names and texts in an answer, or in one part of it: an alias repeats them. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** The state of one pass over the merged data, which the compiled writers call when a value is not as the schema says. */
export class Completion {
  /** The keys above the value that is being written. */
  readonly path: (string | number)[];
  readonly errors: GraphQLError[] = [];
  /** The deferred fragments that were met. The null of a later field can remove an object again. */
  readonly deferred: DeferredObject[] = [];
  /** Characters of the names and texts so far. */
  characters = 0;
  private introspected: Readonly<Record<string, unknown>> | undefined;

  constructor(
    private readonly execution: Execution,
    private readonly introspect: (() => Readonly<Record<string, unknown>>) | undefined,
    path: Path = [],
  ) {
    this.path = [...path];
  }

  /** Notes a deferred fragment on an object. */
  defer(fragment: DeferredProjection, value: Data): void {
    this.deferred.push({ ...fragment, value, path: [...this.path] });
  }

  /**
   * Reports null at a non-null position, unless an error of a subgraph is the reason. "If the field which experienced an
   * error was previously determined to be null, no error is added." Returns undefined, which moves the null to the parent.
   * @param key of the field; undefined for an item of a list, whose path is complete
   */
  nonNull(field: string, key?: string): undefined {
    const path = this.pathOf(key);
    if (this.isExplained(path)) return undefined;
    this.errors.push(new GraphQLError(`Cannot return null for non-nullable field ${field}.`, { path }));
    return undefined;
  }

  /** Reports a value that the type cannot have. It becomes null. */
  invalid(field: string, key?: string): undefined {
    this.errors.push(new GraphQLError(`Invalid value found for field ${field}.`, { path: this.pathOf(key) }));
    return undefined;
  }

  /** Returns a root field of the schema itself. */
  introspection(key: string): unknown {
    this.introspected ??= this.introspect?.() ?? {};
    return this.introspected[key] ?? null;
  }

  private pathOf(key: string | undefined): Path {
    return key === undefined ? [...this.path] : [...this.path, key];
  }

  private isExplained(path: Path): boolean {
    const { errors } = this.execution;
    return this.isIncomplete(path) || errors.some((error) => error.path && isOneLine(error.path, path));
  }

  /** Whether an object on the path lacks fields because of an error. */
  private isIncomplete(path: Path): boolean {
    const { incomplete, data } = this.execution;
    let value: unknown = data;
    for (const step of path) {
      if (typeof value !== 'object' || value === null) return false;
      if (incomplete.has(value)) return true;
      const object = value as Record<string | number, unknown>;
      value = object[CLASH_PREFIX + step] ?? object[step];
    }
    return false;
  }
}

/** Gives data the shape of the response. It is null when its null moves up to here, and, with an error, when it is too large. */
export function complete({ project }: { readonly project: Project }, value: Data, completion: Completion): unknown {
  const data = project(value, completion) ?? null;
  if (completion.characters <= MAX_CHARACTERS) return data;
  completion.errors.push(
    badRequest(`The answer has more than ${MAX_CHARACTERS / 1024 / 1024} MiB: ask for less at once.`),
  );
  return null;
}

/** Whether one path begins with the other. */
function isOneLine(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return false;
  return true;
}
