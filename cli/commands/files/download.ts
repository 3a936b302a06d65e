import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlatformError } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import { makeDirectory } from '../../local-files/make-directory.js';
import { unwritable } from '../../local-files/unwritable.js';
import { existingFiles, filesBelow, type Folder, type NamedFile } from './folder.js';
import { partialName, within } from './local.js';
import { transfer, type Run } from './transfer.js';

/** Downloads a file, or the files below a path. */
export async function pull(folder: Folder, [from = '', target = '.']: readonly string[]): Promise<void> {
  const remote = await existingFiles(folder);
  const items = filesBelow(remote, from);
  const [first] = items;
  const above = from.split('/').filter(Boolean).length;
  if (!first)
    throw new UsageError(above === 0 ? 'The folder has no file to download.' : `The folder has no file "${from}".`);
  const isFile = items.length === 1 && first.relativePath.split('/').length === above;
  const isInto = !isFile || (await isDirectory(target)) || /[/\\]$/.test(target);
  await transfer(folder.session, {
    done: 'downloaded',
    items,
    pathOf: ({ relativePath }) => relativePath,
    work: async (file, run) => {
      const name = file.relativePath
        .split('/')
        .slice(isFile ? -1 : above)
        .join('/');
      const destination = isInto ? within(target, name) : path.resolve(target);
      await download(folder, file, { ...run, destination });
      return destination;
    },
  });
}

/** Whether the target is a directory. @throws UsageError for a device or a pipe, which would be replaced by the file */
async function isDirectory(target: string): Promise<boolean> {
  const info = await stat(target).catch(() => undefined);
  if (info && !info.isDirectory() && !info.isFile())
    throw new UsageError(`${target} is neither a file nor a directory.`);
  return info?.isDirectory() === true;
}

/** Attempts of a download. The request for each is repeated by the SDK; this repeats one whose answer is cut off. */
const ATTEMPTS = 3;

interface Download extends Run {
  readonly destination: string;
}

/** Downloads a file beside its destination, then renames it. */
async function download(folder: Folder, file: NamedFile, run: Download): Promise<void> {
  const { destination } = run;
  const directory = path.dirname(destination);
  await makeDirectory(path.resolve(directory)).catch((error: NodeJS.ErrnoException) => {
    throw unwritable(destination, error);
  });
  const partial = path.join(directory, partialName());
  try {
    await downloadTo(partial, folder, file, run);
    await rename(partial, destination);
  } catch (error) {
    await rm(partial, { force: true });
    throw isSystemError(error) ? unwritable(destination, error) : error;
  }
}

/** Downloads a file; again from its beginning when it is cut off. */
async function downloadTo(
  partial: string,
  { files, key }: Folder,
  { fileId, sizeBytes }: NamedFile,
  { onProgress, signal }: Run,
): Promise<void> {
  const counted = async function* () {
    let done = 0;
    for await (const part of files.download(key, fileId, signal)) {
      onProgress((done += part.length), sizeBytes);
      yield part;
    }
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await pipeline(Readable.from(counted()), createWriteStream(partial), { signal });
    } catch (error) {
      if (attempt === ATTEMPTS || !isCutOff(error)) throw error;
    }
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'NETWORK';
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
