import { PlatformError } from '../../../sdk/src/index.js';
import { warn } from '../../output.js';
import { Progress } from '../../progress.js';
import type { Session } from '../../session.js';

/** Files that are sent or received at once. */
const PARALLEL_FILES = 4;

/** Statuses of refusals that concern one file: its name, its size, a newer revision, and that it is gone. */
const OF_ONE_FILE: ReadonlySet<number | undefined> = new Set([400, 404, 409, 413]);

/** What happens to each file. */
interface Transfer<Item> {
  /** Such as `uploaded`. */
  readonly done: string;
  readonly items: readonly Item[];
  readonly pathOf: (item: Item) => string;
  /** Transfers a file. Returns what the result lists, or undefined if there was nothing to do. */
  readonly work: (item: Item, run: Run) => Promise<string | undefined>;
  /** What follows when all were transferred. Returns what the result has beside the list. */
  readonly after?: (() => Promise<object>) | undefined;
}

/** What the transfer of a file is told. */
export interface Run {
  readonly onProgress: (done: number, total: number) => void;
  /** Stops it: the user does, or another transfer has failed because of the platform. */
  readonly signal: AbortSignal;
}

/**
 * Transfers files, four at once. When one of several cannot be, this is written to standard error, and the others go on. A
 * failure of the platform stops the others. @throws Error at the end if a file failed
 */
export async function transfer<Item>(session: Session, plan: Transfer<Item>): Promise<void> {
  const { output } = session;
  const { done, items, after } = plan;
  const { listed, failures } = await transferAll(session, plan);
  const result = { [done]: listed };
  if (!output.isJson) output.line(`${done} ${listed.length} of ${items.length}`);
  try {
    if (failures > 0) throw new Error(`Not ${done}: ${failures} of ${items.length}.`);
    Object.assign(result, await after?.());
  } finally {
    if (output.isJson) output.json(result);
  }
}

async function transferAll<Item>(session: Session, { items, pathOf, work }: Transfer<Item>) {
  const { output } = session;
  const progress = new Progress(output.isJson);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const listed: string[] = [];
  let failures = 0;
  const rest = items.values();
  const next = async () => {
    for (const item of rest) {
      if (signal.aborted) return;
      const onProgress = (part: number, total: number) => progress.show(pathOf(item), part, total);
      try {
        const result = await work(item, { onProgress, signal });
        if (result !== undefined) listed.push(result);
      } catch (error) {
        if (items.length === 1 || signal.aborted || !isOfOneFile(error)) {
          // The first failure is the reason of those that it stops.
          stop.abort(error);
          return;
        }
        failures++;
        progress.end();
        warn(`${pathOf(item)}: ${error.message}`);
      }
    }
  };
  // Those that are stopped remove the parts of their files before this ends.
  await Promise.all(Array.from({ length: PARALLEL_FILES }, next)).finally(() => progress.end());
  if (stop.signal.aborted) throw stop.signal.reason;
  return { listed: listed.toSorted(), failures };
}

function isOfOneFile(error: unknown): error is Error {
  return error instanceof PlatformError ? OF_ONE_FILE.has(error.status) : error instanceof Error;
}
