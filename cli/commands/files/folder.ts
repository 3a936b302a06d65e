import { pathOf, type Files, type FolderKey, type RemoteFile } from '../../../sdk/src/index.js';
import type { Confirmed } from '../../confirm.js';
import { UsageError } from '../../failure.js';
import { warn } from '../../output.js';
import type { Session } from '../../session.js';

export interface FolderOptions extends Confirmed {
  readonly wallet: string;
  readonly delete?: boolean;
}

/** A folder whose key is known. */
export interface Folder {
  readonly session: Session;
  readonly files: Files;
  readonly key: FolderKey;
  readonly options: FolderOptions;
}

/** A file whose path is known. */
export interface NamedFile extends RemoteFile {
  readonly relativePath: string;
}

/** The files of a folder by their path in Unicode form NFC. The file id is derived from this form. */
export type FilesByPath = ReadonlyMap<string, NamedFile>;

/** Returns a path in the form in which paths are compared. */
export function comparable(relativePath: string): string {
  return relativePath.normalize('NFC');
}

/**
 * Lists the files of a folder by path. Says which it leaves out: those whose path cannot be read.
 * @throws Error when the phrase decrypts no path of the folder
 */
export async function remoteFiles(folder: Folder): Promise<FilesByPath> {
  return byPath((await listingOf(folder)).named);
}

/**
 * Lists the files of a folder that must exist; see `remoteFiles`. @param words paths, and ids of files whose path cannot be
 * read: these are listed by id, and need no phrase. @throws UsageError when there is no such folder
 */
export async function existingFiles(folder: Folder, words?: readonly string[]): Promise<FilesByPath> {
  const { files, key } = folder;
  const { named, leftOut } = await listingOf(folder, words);
  if (named.length + leftOut.length === 0 && !(await files.folders()).some((one) => one.folderHash === key.folderHash))
    throw new UsageError(`There is no folder "${key.label}".`);
  const byId = leftOut.map((file) => [file.fileId, { ...file, relativePath: file.fileId }] as const);
  return new Map([...byPath(named), ...byId.filter(([fileId]) => words?.includes(fileId))]);
}

function byPath(named: readonly NamedFile[]): FilesByPath {
  const sorted = named.toSorted((one, other) => (one.relativePath < other.relativePath ? -1 : 1));
  return new Map(sorted.map((file) => [comparable(file.relativePath), file]));
}

async function listingOf({ files, key }: Folder, words?: readonly string[]) {
  const named: NamedFile[] = [];
  const leftOut: RemoteFile[] = [];
  for await (const file of files.list(key.folderHash)) {
    const relativePath = await pathOf(file, key).catch(() => undefined);
    if (relativePath === undefined) leftOut.push(file);
    else named.push({ ...file, relativePath });
  }
  const ids = new Set(leftOut.map(({ fileId }) => fileId));
  if (words?.every((word) => ids.has(word)) !== true) await refuseOtherPhrase(key, named, leftOut);
  if (!words) for (const id of ids) warn(`The file ${id} is left out: its path cannot be read with this phrase.`);
  return { named, leftOut };
}

/**
 * Throws when the phrase decrypts no path. Paths that the platform stores in plaintext are tried too. If any path decrypts,
 * the phrase is right and the other paths are damaged.
 */
async function refuseOtherPhrase(
  key: FolderKey,
  named: readonly NamedFile[],
  leftOut: readonly RemoteFile[],
): Promise<void> {
  const unread = leftOut.find(({ encryptedPath }) => encryptedPath.length > 0);
  if (!unread) return;
  for (const file of named) {
    const isRead = await pathOf({ ...file, relativePath: null }, key).then(
      () => true,
      () => false,
    );
    if (isRead) return;
  }
  throw new Error(
    `No path of the folder can be decrypted, such as that of the file ${unread.fileId}: ` +
      'the phrase is of another wallet, or the paths were altered.',
  );
}

/** Finds a file. @throws UsageError when there is none */
export function fileAt(remote: FilesByPath, relativePath: string): NamedFile {
  const file = remote.get(comparable(relativePath));
  if (!file) throw new UsageError(`The folder has no file "${relativePath}".`);
  return file;
}

/** Rewrites an API refusal of `file_name` or `relative_path`: `The new` + `path must …`. Returns other errors unchanged. */
export function withSubject(error: unknown, subject: string): unknown {
  const refusal = /^`(?:new_)?(file_name|relative_path)` (.*)$/s;
  const [, field, rest] = (error instanceof Error && refusal.exec(error.message)) || [];
  if (field === undefined) return error;
  return new Error(`${subject} ${field === 'file_name' ? 'name' : 'path'} ${rest}`, { cause: error });
}

/** Returns the files at a path or below it. */
export function filesBelow(remote: FilesByPath, prefix: string): NamedFile[] {
  const at = comparable(prefix.replace(/\/+$/, ''));
  return [...remote].filter(([name]) => at === '' || name === at || name.startsWith(`${at}/`)).map(([, file]) => file);
}
