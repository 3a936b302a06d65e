import { readdir, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Source, UploadRecord, UploadRecords } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import type { ProfileStore } from '../../profile.js';

/** Files that are sent or received at once. */
const PARALLEL_FILES = 4;

/** Lists the files below a directory, with `/` between the parts. */
export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UsageError(`${directory} cannot be read.`);
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .toSorted();
}

export async function sourceOfFile(handle: FileHandle): Promise<Source> {
  const { size } = await handle.stat();
  return {
    size,
    read: async (start, end) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      if (bytesRead < end - start) throw new Error('The file became shorter while it was read.');
      return buffer;
    },
  };
}

/** Keeps the records of unfinished uploads beside the profiles, so that the next run resumes them. */
export function recordsIn(profiles: ProfileStore): UploadRecords {
  const read = async () => (await profiles.readJson<Record<string, UploadRecord>>('uploads.json')) ?? {};
  let last: Promise<unknown> = Promise.resolve();
  const change = (edit: (records: Record<string, UploadRecord>) => Record<string, UploadRecord>) => {
    const next = last.then(async () => profiles.writeJson('uploads.json', edit(await read())));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    get: async (key: string) => (await read())[key],
    set: (key: string, record: UploadRecord) => change((records) => ({ ...records, [key]: record })),
    delete: (key: string) => change(({ [key]: _old, ...rest }) => rest),
  };
}

export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.values();
  const next = async () => {
    for (const item of rest) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: PARALLEL_FILES }, next));
  return results;
}

export async function isDirectory(name: string): Promise<boolean> {
  return stat(name).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

/** Returns a path below the target. A path of the platform cannot leave it. */
export function within(target: string, name: string): string {
  const destination = path.resolve(target, name);
  const [first] = path.relative(path.resolve(target), destination).split(path.sep);
  if (first === '..') throw new UsageError(`The path "${name}" leads outside the target directory.`);
  return destination;
}
