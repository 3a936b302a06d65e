import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { PlatformError, type Source, type UploadRecord, type UploadRecords } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import { warn } from '../../output.js';
import type { ProfileStore } from '../../profile.js';

/** Hex digits that name the place of a part. */
const PLACE_DIGITS = 16;

/** Returns the name of a part of a download: by its place, and by the revision that it is of. */
export function partialName(place: string, revision: Uint8Array): string {
  const digits = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex');
  return `.archipelago-${digits(place).slice(0, PLACE_DIGITS)}-${digits(revision).slice(0, 19)}.part`;
}

const PARTIAL_NAME = /^\.archipelago-[\da-f-]{36}\.part$/;

/** Lists the parts in a directory that have the place of this one and another revision. */
export async function partialsLike(directory: string, name: string): Promise<string[]> {
  const place = name.slice(0, '.archipelago-'.length + PLACE_DIGITS + 1);
  const names = await readdir(directory);
  return names.filter((other) => other !== name && other.startsWith(place) && PARTIAL_NAME.test(other));
}

/** Lists the files below a directory, with `/` between the parts. Warns of skipped entries: partial downloads, and what is no file. */
export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw new UsageError(`${directory} cannot be read: ${error.message}`);
  });
  const pathOf = ({ parentPath, name }: Dirent) =>
    path.relative(directory, path.join(parentPath, name)).split(path.sep).join('/');
  for (const entry of entries)
    if (!entry.isFile() && !entry.isDirectory())
      warn(`${pathOf(entry)}: skipped, it is neither a file nor a directory.`);
  const files = entries.filter((entry) => entry.isFile());
  const isPartial = ({ name }: Dirent) => PARTIAL_NAME.test(name);
  for (const entry of files.filter(isPartial))
    warn(`${pathOf(entry)}: skipped, it is part of a download. Remove it if no download is running.`);
  return files
    .filter((entry) => !isPartial(entry))
    .map(pathOf)
    .toSorted();
}

/** Opens a file for the work. @throws Error when it changed meanwhile, so that the platform refused it or it became shorter */
export async function withFile<Result>(file: string, work: (source: Source) => Promise<Result>): Promise<Result> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    const isOdd = error.code === 'ENOENT' && file.includes('\ufffd');
    throw isOdd ? new Error('The name is not UTF-8: rename the file.') : error;
  });
  try {
    const { size, mtimeMs } = await handle.stat();
    return await work(sourceOf(handle, size)).catch(async (error: unknown) => {
      const isRefused = !(error instanceof PlatformError) || error.status === 400;
      const hasChanged = isRefused && (await handle.stat()).mtimeMs !== mtimeMs;
      throw hasChanged ? new Error('The file changed while it was read.', { cause: error }) : error;
    });
  } finally {
    await handle.close();
  }
}

/** Returns a source of the first bytes of an open file. */
export function sourceOf(handle: FileHandle, size: number): Source {
  return {
    size,
    read: async (start, end) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      if (bytesRead < end - start) throw new Error('The file became shorter while it was read.');
      return buffer;
    },
  };
}

/** Keeps the records of unfinished uploads beside the profiles, so that the next run resumes them. Says when it cannot. */
export function recordsIn(profiles: ProfileStore): UploadRecords {
  let last: Promise<void> = Promise.resolve();
  let isLost = false;
  const change = (edit: Parameters<typeof profiles.change<UploadRecord>>[1]) => {
    const next = last.then(() => profiles.change('uploads.json', edit));
    last = next.catch((error: Error) => {
      if (!isLost) warn(`Interrupted uploads will start anew: ${error.message}`);
      isLost = true;
    });
    return last;
  };
  return {
    get: async (key: string) => (await profiles.readJson<Record<string, UploadRecord>>('uploads.json'))?.[key],
    set: (key: string, record: UploadRecord) => change((records) => ({ ...records, [key]: record })),
    delete: (key: string) => change(({ [key]: _old, ...rest }) => rest),
  };
}

/** Returns a path below the target. A path of the platform cannot leave it. */
export function within(target: string, name: string): string {
  const destination = path.resolve(target, name);
  const [first] = path.relative(path.resolve(target), destination).split(path.sep);
  if (first === '..') throw new UsageError(`The path "${name}" leads outside the target directory.`);
  return destination;
}
