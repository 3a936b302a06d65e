import {
  Archipelago,
  folderHash,
  pathHash,
  PlatformError,
  type Revision,
  type Source,
} from '../../../../sdk/src/index';
import { graphql, type ResultOf } from '../../../graphql/graphql';
import { accessToken } from '../../../session/access-token';
import type { Access, FileRevision, Revisions, TaskOf } from './vault-tasks';

/** What a running task may use. */
export interface Work {
  readonly access: Access;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

const REVISION = graphql(`
  query ($owner: String!, $folderHash: String!, $fileId: ID!) {
    file(ownerAddress: $owner, folderHash: $folderHash, fileId: $fileId) {
      revisionId
      revisionSeq
    }
  }
`);

const STORED = graphql(`
  query ($owner: String!, $folderHash: String!, $limit: Int!, $offset: Int!) {
    files(ownerAddress: $owner, folderHash: $folderHash, limit: $limit, offset: $offset) {
      totalCount
      files {
        fileId
        revisionId
        revisionSeq
      }
    }
  }
`);

/** The client of a task. */
export function clientOf({ url }: Access): Archipelago {
  return new Archipelago({ url, token: accessToken });
}

/** Paths that are looked up at once. If there are more paths, the files of the folder are listed if they are not many more. */
const PARALLEL_PATHS = 8;

/** Files that are listed rather than one path is looked up. */
const LISTED_PER_PATH = 100;

/** Files that `STORED` lists at once. */
const PAGE = 5_000;

/** The revisions of those of the paths that are stored already. */
export async function takenPaths({ label, paths }: TaskOf<'taken paths'>, work: Work): Promise<Revisions> {
  const hash = folderHash(label);
  const stored =
    paths.length > PARALLEL_PATHS ? await storedRevisions(hash, paths.length * LISTED_PER_PATH, work) : undefined;
  const find = async (path: string) => (stored ? stored.get(fileIdOf(path)) : presentRevision(work.access, hash, path));
  const taken = new Map<string, FileRevision>();
  for (let at = 0; at < paths.length; at += PARALLEL_PATHS) {
    work.signal.throwIfAborted();
    const some = paths.slice(at, at + PARALLEL_PATHS);
    const found = await Promise.all(some.map(find));
    for (const [index, path] of some.entries()) if (found[index]) taken.set(path, found[index]);
  }
  return taken;
}

/** The revisions of all files of a folder by file id; undefined if they are more than `max`. */
async function storedRevisions(hash: string, max: number, { access, signal }: Work): Promise<Revisions | undefined> {
  const stored = new Map<string, FileRevision>();
  const about = { owner: access.owner, folderHash: hash, limit: Math.min(PAGE, max) };
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    signal.throwIfAborted();
    const { files } = await clientOf(access).graphql(STORED, { ...about, offset });
    total = files.totalCount;
    if (total > max) return undefined;
    for (const { fileId, ...file } of files.files) stored.set(fileId, fileRevisionOf(file));
  }
  return stored;
}

/** The revision that an upload replaces; undefined for a new file. */
export async function presentRevision(access: Access, hash: string, path: string): Promise<FileRevision | undefined> {
  const variables = { owner: access.owner, folderHash: hash, fileId: fileIdOf(path) };
  try {
    const { file } = await clientOf(access).graphql(REVISION, variables);
    return fileRevisionOf(file);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

const SAME = graphql(`
  query ($owner: String!, $folderHash: String!, $fileId: ID!) {
    file(ownerAddress: $owner, folderHash: $folderHash, fileId: $fileId) {
      sizeBytes
      saltedHash
    }
  }
`);

/** Whether the platform has this file at the path already. */
export async function isStored(access: Access, { label, path, file }: TaskOf<'upload'>): Promise<boolean> {
  const variables = { owner: access.owner, folderHash: folderHash(label), fileId: fileIdOf(path) };
  const stored = (await clientOf(access).graphql(SAME, variables)).file;
  const about = { sizeBytes: Number(stored.sizeBytes), saltedHash: Uint8Array.from(stored.saltedHash) };
  return clientOf(access).files(access.owner).isSame(about, sourceOf(file));
}

/** The bytes of a file, as the SDK reads them. */
export function sourceOf(file: File): Source {
  return {
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
}

function fileRevisionOf({ revisionId, revisionSeq }: ResultOf<typeof REVISION>['file']): FileRevision {
  return { revisionId, revisionSeq: Number(revisionSeq) };
}

/** A revision as the SDK takes it. */
export function revisionOf({ revisionId, revisionSeq }: FileRevision): Revision {
  return { revisionId: Uint8Array.from(revisionId), revisionSeq };
}

function fileIdOf(path: string): string {
  return [...pathHash(path)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
