import type { ExecutionResult, GraphQLError } from 'graphql';
import type { CompiledOperation } from './compiled-operation.js';
import { copyOf, type Data, type Execution } from './execution.js';
import type { Path } from './fetch/targets.js';
import { Completion, complete, type DeferredObject } from './projection/completion.js';
import { isReportedAt, valueAt } from './projection/error-places.js';
import { FailedParts } from './projection/failed-parts.js';

/** The first result of an operation with deferred fragments. */
export interface InitialResult extends ExecutionResult {
  readonly hasNext: boolean;
}

/** A deferred fragment on one object. */
interface IncrementalResult {
  readonly data: unknown;
  readonly path: Path;
  readonly label?: string;
  readonly errors?: readonly GraphQLError[];
}

/** Deferred fragments that are answered together. */
export interface SubsequentResult {
  readonly incremental?: readonly IncrementalResult[];
  readonly hasNext: boolean;
}

/** Gives the merged data the shape of the response. Data without a value is null. */
export function resultOf(operation: CompiledOperation, execution: Execution): ExecutionResult {
  const completion = completionOf(operation, execution);
  const data = complete(operation, execution.data, completion) as Data | null;
  return withErrors({ data }, [...execution.errors, ...completion.errors]);
}

/** One fragment that is answered, on all its objects. */
interface Answered {
  readonly results: readonly IncrementalResult[];
  readonly later: readonly Promise<Answered>[];
}

/** Answers an operation whose first part is executed. Source: GraphQL over HTTP, Incremental Delivery, 2022-08-24 */
export async function* deliver(
  operation: CompiledOperation,
  execution: Execution,
): AsyncGenerator<InitialResult | SubsequentResult> {
  const completion = completionOf(operation, execution);
  const data = complete(operation, execution.data, completion) as Data | null;
  const place = { selections: operation.selections, data, path: [] };
  const reported = new Set<string>();
  const own = execution.errors.filter((error) => isReportedAt(place, error) !== false);
  const errors = notYetReported([...own, ...completion.errors], reported);
  const delivery = new Delivery(operation);
  const running = new Set(delivery.begin({ execution, reported }, presentIn(data, 0, completion.deferred)));
  const failed = new FailedParts();
  if (errors.length > 0) failed.add({ data, path: [] });
  try {
    yield { ...withErrors({ data }, errors), hasNext: running.size > 0 };
    while (running.size > 0) {
      const [done, { results, later }] = await Promise.race([...running].map(async (one) => [one, await one] as const));
      running.delete(done);
      for (const one of later) running.add(one);
      const present = results.filter(({ path }) => !failed.hasNullAt(path));
      for (const result of present) failed.keepNulls(result);
      for (const result of present.filter((one) => one.errors)) failed.add(result);
      yield { ...(present.length > 0 && { incremental: present }), hasNext: running.size > 0 };
    }
  } finally {
    // When the client has left, the operation ends with the work that has begun, as one without parts.
    await Promise.allSettled(running);
  }
}

/** A part of the answer, with the parts around it. */
interface Part {
  readonly execution: Execution;
  /** The errors that were reported, each as a text. */
  readonly reported: ReadonlySet<string>;
}

class Delivery {
  constructor(private readonly operation: CompiledOperation) {}

  /** Begins the fragments that one part has met. */
  begin(part: Part, objects: readonly DeferredObject[]): Promise<Answered>[] {
    const groups = new Map<number, DeferredObject[]>();
    for (const object of objects) {
      const group = groups.get(object.id);
      if (group) group.push(object);
      else groups.set(object.id, [object]);
    }
    return [...groups].map(([id, group]) => {
      const answered = this.answer(id, group, part);
      // Nobody waits for it when the client has left.
      answered.catch(() => undefined);
      return answered;
    });
  }

  /** Executes a fragment on a copy of the data, so that fragments at the same time do not see each other. */
  private async answer(id: number, objects: readonly DeferredObject[], around: Part): Promise<Answered> {
    const { execution: before, reported } = around;
    const step = before.deferred?.get(id);
    if (!step) return this.project(id, objects, { ...around, own: [] });
    const { execution, copies } = copyOf(before);
    await step(execution);
    const copied = objects.map((object) => ({ ...object, value: copies.get(object.value) ?? object.value }));
    return this.project(id, copied, { execution, reported, own: execution.errors.slice(before.errors.length) });
  }

  /** @param own the errors of the steps of this fragment */
  private project(
    id: number,
    objects: readonly DeferredObject[],
    { execution, own, reported: before }: Part & { readonly own: readonly GraphQLError[] },
  ): Answered {
    const { label, selections = [] } = this.operation.fragments[id] ?? {};
    const reported = new Set(before);
    const left = new Set(own);
    const met: DeferredObject[] = [];
    let characters = 0;
    const results = objects.map(({ project, value, path }) => {
      const completion = completionOf(this.operation, execution, path);
      completion.characters = characters;
      const data = complete({ project }, value, completion);
      ({ characters } = completion);
      const place = { selections, data, path };
      const errors = execution.errors.filter((error) => {
        const isReported = isReportedAt(place, error);
        if (isReported !== undefined) left.delete(error);
        return isReported;
      });
      met.push(...presentIn(data, path.length, completion.deferred));
      return { data, path, label, errors: notYetReported([...errors, ...completion.errors], reported) };
    });
    const others = notYetReported([...left], reported);
    const later = this.begin({ execution, reported }, met);
    return { results: results.map((result, at) => incremental(result, at === 0 ? others : [])), later };
  }
}

function incremental(
  {
    errors,
    label,
    ...result
  }: { readonly errors: readonly GraphQLError[]; readonly label: string | undefined } & Pick<
    IncrementalResult,
    'data' | 'path'
  >,
  others: readonly GraphQLError[],
): IncrementalResult {
  return withErrors({ ...result, ...(label !== undefined && { label }) }, [...errors, ...others]);
}

/**
 * Returns the errors that neither this part nor one around it has reported, and adds them. A nested fragment can fetch a
 * field again that failed before.
 */
function notYetReported(errors: readonly GraphQLError[], reported: Set<string>): GraphQLError[] {
  return errors.filter(({ path, message }) => {
    const text = JSON.stringify([path, message]);
    const isNew = !path || !reported.has(text);
    reported.add(text);
    return isNew;
  });
}

function withErrors<Result extends object>(result: Result, errors: readonly GraphQLError[]) {
  return errors.length > 0 ? { errors, ...result } : result;
}

function completionOf(operation: CompiledOperation, execution: Execution, path?: Path): Completion {
  return new Completion(execution, () => operation.introspect(execution.variables), path);
}

/** Returns the objects that are in the data of an answer. @param depth of the data in the response */
function presentIn(data: unknown, depth: number, objects: readonly DeferredObject[]): DeferredObject[] {
  return objects.filter(({ path }) => valueAt(data, path.slice(depth)) !== null);
}
