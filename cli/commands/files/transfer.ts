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
  readonly work: (item: Item, onProgress: (done: number, total: number) => void) => Promise<string | undefined>;
}

/**
 * Transfers files, four at once. When one of several cannot be, this is written to standard error, and the others go on.
 * @throws Error at the end if a file failed
 */
export async function transfer<Item>(session: Session, { done, items, pathOf, work }: Transfer<Item>): Promise<void> {
  const { output, signal } = session;
  const progress = new Progress(output.isJson);
  const listed: string[] = [];
  let failures = 0;
  const rest = items.values();
  const next = async () => {
    for (const item of rest) {
      try {
        const result = await work(item, (part, total) => progress.show(pathOf(item), part, total));
        if (result !== undefined) listed.push(result);
      } catch (error) {
        if (items.length === 1 || signal.aborted || !isOfOneFile(error)) throw error;
        failures++;
        progress.end();
        warn(`${pathOf(item)}: ${error.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_FILES }, next)).finally(() => progress.end());
  output.done(`${done} ${listed.length} of ${items.length}`, { [done]: listed.toSorted() });
  if (failures > 0) throw new Error(`Not ${done}: ${failures} of ${items.length}.`);
}

function isOfOneFile(error: unknown): error is Error {
  return error instanceof PlatformError ? OF_ONE_FILE.has(error.status) : error instanceof Error;
}
