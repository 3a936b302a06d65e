import { pathOf, type Files, type FolderKey, type RemoteFile } from '../../../sdk/src/index.js';
import { UsageError } from '../../failure.js';
import type { Session } from '../../session.js';

export interface FolderOptions {
  readonly wallet: string;
  readonly delete?: boolean;
  readonly yes?: boolean;
}

/** A folder whose key is known. */
export interface Folder {
  readonly session: Session;
  readonly files: Files;
  readonly key: FolderKey;
  readonly options: FolderOptions;
}

export function missing(name: string): never {
  throw new UsageError(`The folder has no file "${name}".`);
}

/** @throws UsageError when there is no such folder */
export async function checkFolder(files: Files, { folderHash, label }: FolderKey): Promise<void> {
  const folders = await files.folders();
  if (!folders.some((folder) => folder.folderHash === folderHash))
    throw new UsageError(`There is no folder "${label}".`);
}

export async function remoteFiles(files: Files, key: FolderKey): Promise<Map<string, RemoteFile>> {
  const found = new Map<string, RemoteFile>();
  for await (const file of files.list(key.folderHash)) {
    const relativePath = await pathOf(file, key);
    found.set(relativePath, { ...file, relativePath });
  }
  return found;
}

export function isBelow(prefix: string): (file: RemoteFile) => boolean {
  const start = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
  return ({ relativePath }) => relativePath === prefix || (relativePath ?? '').startsWith(start);
}
