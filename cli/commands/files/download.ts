import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { FRAME_BYTES, PlatformError } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import { makeDirectory } from '../../local-files/make-directory.js';
import { unwritable } from '../../local-files/unwritable.js';
import { existingFiles, filesBelow, type Folder, type NamedFile } from './folder.js';
import { partialName, partialsLike, sourceOf, withFile, within } from './local.js';
import { transfer, type Run } from './transfer.js';

/** Downloads a file, or the files below a path, except those that are the same already. */
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
      return (await download(folder, file, { ...run, destination })) ? destination : undefined;
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

/** Attempts of a download whose file is replaced, or whose part is renamed by another pull of the same file. */
const ATTEMPTS = 3;

interface Download extends Run {
  readonly destination: string;
}

/** Downloads a file unless its destination has the same bytes. Returns whether it did. */
async function download(folder: Folder, file: NamedFile, run: Download): Promise<boolean> {
  for (let attempt = 1, present = file; ; attempt++) {
    if (await isSameAt(run.destination, folder, present)) return false;
    try {
      await replace(folder, present, run);
      return true;
    } catch (error) {
      const isReplaced = error instanceof PlatformError && error.code === 'replaced';
      if (attempt === ATTEMPTS || !(isReplaced || error instanceof PartTaken)) throw error;
      if (isReplaced) present = await listedAgain(folder, file);
    }
  }
}

async function isSameAt(destination: string, { files }: Folder, file: NamedFile): Promise<boolean> {
  const info = await stat(destination).catch(() => undefined);
  if (!info?.isFile() || info.size !== file.sizeBytes) return false;
  return withFile(destination, (plaintext) => files.isSame(file, plaintext)).catch(() => false);
}

/** Returns the file as the platform lists it now. */
async function listedAgain({ files, key }: Folder, file: NamedFile): Promise<NamedFile> {
  for await (const row of files.list(key.folderHash))
    if (row.fileId === file.fileId) return { ...row, relativePath: file.relativePath };
  return file;
}

/** Another pull of the same file has renamed or removed the part. */
class PartTaken extends Error {}

/** Downloads a file into a part beside its destination, then renames it. A part that can be resumed is left on a failure. */
async function replace(folder: Folder, file: NamedFile, run: Download): Promise<void> {
  const { destination, signal } = run;
  const directory = path.dirname(destination);
  try {
    await makeDirectory(path.resolve(directory));
    const partial = path.join(directory, await partialOf(folder, file, destination));
    await downloadTo(partial, folder, file, run).catch(async (error: unknown) => {
      const isResumable = (signal.aborted || isTransient(error)) && (await sizeOf(partial)) >= FRAME_BYTES;
      if (!isResumable) await rm(partial, { force: true });
      throw error;
    });
    await rename(partial, destination).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new PartTaken('Another command downloads the same file.', { cause: error });
      await rm(partial, { force: true });
      throw error;
    });
  } catch (error) {
    throw isSystemError(error) ? unwritable(destination, error) : error;
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the name of the part of a revision, and removes parts of other revisions for the same destination. */
async function partialOf(
  { files, key }: Folder,
  { fileId, revision, saltedHash }: NamedFile,
  destination: string,
): Promise<string> {
  const place = [files.owner, key.folderHash, fileId, path.basename(destination)].join('/');
  const name = partialName(place, Buffer.concat([revision.revisionId, saltedHash]));
  const directory = path.dirname(destination);
  for (const other of await partialsLike(directory, name)) await rm(path.join(directory, other), { force: true });
  return name;
}

async function downloadTo(partial: string, { files, key }: Folder, file: NamedFile, run: Download): Promise<void> {
  // Two commands may write the same part: both write the same bytes, and neither makes it shorter.
  const handle = await open(partial, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW);
  try {
    const { size } = await handle.stat();
    if (size > file.sizeBytes) await handle.truncate(0);
    const { read } = sourceOf(handle, size);
    const write = async (at: number, bytes: Uint8Array) => {
      await handle.write(bytes, 0, bytes.length, at);
    };
    await files.downloadTo(key, file, { size: size > file.sizeBytes ? 0 : size, read, write }, run);
  } finally {
    await handle.close();
  }
}

/** Whether the same request may succeed later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  return error.status === undefined || error.status >= 500 || error.status === 429 || error.status === 401;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
