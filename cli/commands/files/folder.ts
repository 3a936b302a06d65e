import { pathOf, type Files, type FolderKey, type RemoteFile } from '../../../sdk/src/index.js';
import type { Confirmed } from '../../confirm.js';
import { UsageError } from '../../failure.js';
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

/** The files of a folder by their path in Unicode form NFC, of which the id of a file is made. */
export type FilesByPath = ReadonlyMap<string, NamedFile>;

/** Returns a path in the form in which paths are compared. */
export function comparable(relativePath: string): string {
  return relativePath.normalize('NFC');
}

/** Lists the files of a folder by path. */
export async function remoteFiles({ files, key }: Folder): Promise<FilesByPath> {
  const found: NamedFile[] = [];
  for await (const file of files.list(key.folderHash)) found.push({ ...file, relativePath: await pathOf(file, key) });
  const sorted = found.toSorted((one, other) => (one.relativePath < other.relativePath ? -1 : 1));
  return new Map(sorted.map((file) => [comparable(file.relativePath), file]));
}

/** Lists the files of a folder that must exist. @throws UsageError when there is no such folder */
export async function existingFiles(folder: Folder): Promise<FilesByPath> {
  const { files, key } = folder;
  const remote = await remoteFiles(folder);
  if (remote.size > 0 || (await files.folders()).some(({ folderHash }) => folderHash === key.folderHash)) return remote;
  throw new UsageError(`There is no folder "${key.label}".`);
}

/** Finds a file. @throws UsageError when there is none */
export function fileAt(remote: FilesByPath, relativePath: string): NamedFile {
  const file = remote.get(comparable(relativePath));
  if (!file) throw new UsageError(`The folder has no file "${relativePath}".`);
  return file;
}

/** Returns the error; one that refuses the name or the path of a file says so after these words. */
export function ofName(error: unknown, words: string): unknown {
  const refusal = /^`(?:new_)?(file_name|relative_path)` (.*)$/s;
  const [, field, rest] = (error instanceof Error && refusal.exec(error.message)) || [];
  if (field === undefined) return error;
  return new Error(`${words} ${field === 'file_name' ? 'name' : 'path'} ${rest}`, { cause: error });
}

/** Returns the files at a path or below it. */
export function filesBelow(remote: FilesByPath, prefix: string): NamedFile[] {
  const at = comparable(prefix.replace(/\/+$/, ''));
  return [...remote].filter(([name]) => at === '' || name === at || name.startsWith(`${at}/`)).map(([, file]) => file);
}
