import {
  Archipelago,
  decryptBytes,
  folderHash,
  folderKey,
  newMnemonic,
  pathHash,
  PlatformError,
  walletOf,
  type Files,
  type Revision,
  type UploadRecord,
  type UploadRecords,
} from '../../../../sdk/src/index';
import { graphql, type ResultOf } from '../../../graphql/graphql';
import { accessToken } from '../../../session/access-token';
import { forgetUnfinished, keepUnfinished, unfinishedWith, type Unfinished } from '../uploads/records';
import type { Access, FileRevision, Order, Report, Revisions, Task } from './vault-tasks';

type TaskOf<Kind extends Task['kind']> = Extract<Task, { kind: Kind }>;

/** What a running task may use. */
interface Work {
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

const running = new Map<number, AbortController>();

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if ('stop' in data) running.get(data.id)?.abort(new Error('Stopped.'));
  else void perform(data);
});

async function perform({ id, access, task }: Extract<Order, { task: Task }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  const onProgress = (done: number, total: number) => report({ id, done, total });
  try {
    const result = await Promise.race([run(task, { access, signal: stop.signal, onProgress }), stopped(stop.signal)]);
    report({ id, result });
  } catch (error) {
    report({ id, problem: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

/** Rejects when a task is stopped, which may wait for an answer of the platform. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

function report(message: Report): void {
  postMessage(message);
}

function run(task: Task, work: Work): string | Promise<unknown> {
  switch (task.kind) {
    case 'new phrase':
      return newMnemonic();
    case 'folder hash':
      return folderHash(task.label);
    case 'check phrase':
      return checkPhrase(task, work.access);
    case 'taken paths':
      return takenPaths(task, work);
    case 'upload':
      return upload(task, work);
    case 'download':
      return download(task, work);
    case 'rename':
    default:
      return rename(task, work.access);
  }
}

function clientOf({ url }: Access): Archipelago {
  return new Archipelago({ url, token: accessToken });
}

function filesOf(access: Access): Files {
  return clientOf(access).files(access.owner);
}

async function checkPhrase({ label, encryptedPath }: TaskOf<'check phrase'>, { phrase }: Access): Promise<void> {
  try {
    walletOf(phrase);
  } catch {
    throw new Error('This is not a phrase: 12 or 24 English words of the BIP-39 list are needed.');
  }
  if (label === undefined || encryptedPath === undefined) return;
  try {
    await decryptBytes(Uint8Array.from(encryptedPath), folderKey(phrase, label).secret);
  } catch {
    throw new Error('Your files were encrypted with another phrase.');
  }
}

async function upload(task: TaskOf<'upload'>, { access, signal, onProgress }: Work): Promise<void> {
  const { label, path, file } = task;
  const folder = folderKey(access.phrase, label);
  const base = task.base === undefined ? await presentRevision(access, folder.folderHash, path) : task.base;
  const about = { owner: access.owner, folderHash: folder.folderHash, path, sizeBytes: file.size };
  await filesOf(access).upload({
    folder,
    relativePath: path,
    plaintext: { size: file.size, read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()) },
    base: base ? revisionOf(base) : undefined,
    records: recordsOf(about),
    signal,
    onProgress,
    source: 'web',
  });
}

function recordsOf(about: Omit<Unfinished, 'key' | keyof UploadRecord>): UploadRecords {
  return {
    get: unfinishedWith,
    set: (key, record) => keepUnfinished({ ...about, ...record, key }),
    delete: forgetUnfinished,
  };
}

/** Paths that are looked up at once. If there are more paths, the files of the folder are listed if they are not many more. */
const PARALLEL_PATHS = 8;

/** Files that are listed rather than one path is looked up. */
const LISTED_PER_PATH = 100;

/** Files that `STORED` lists at once. */
const PAGE = 5_000;

async function takenPaths({ label, paths }: TaskOf<'taken paths'>, work: Work): Promise<Revisions> {
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
async function presentRevision(access: Access, hash: string, path: string): Promise<FileRevision | undefined> {
  const variables = { owner: access.owner, folderHash: hash, fileId: fileIdOf(path) };
  try {
    const { file } = await clientOf(access).graphql(REVISION, variables);
    return fileRevisionOf(file);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function fileRevisionOf({ revisionId, revisionSeq }: ResultOf<typeof REVISION>['file']): FileRevision {
  return { revisionId, revisionSeq: Number(revisionSeq) };
}

/** A revision as the SDK takes it. */
function revisionOf({ revisionId, revisionSeq }: FileRevision): Revision {
  return { revisionId: Uint8Array.from(revisionId), revisionSeq };
}

function fileIdOf(path: string): string {
  return [...pathHash(path)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function download(
  { label, fileId, sizeBytes, handle }: TaskOf<'download'>,
  { access, signal, onProgress }: Work,
): Promise<Blob | undefined> {
  const plaintext = filesOf(access).download(folderKey(access.phrase, label), fileId);
  const target = await handle?.createWritable();
  const parts: Blob[] = [];
  let done = 0;
  try {
    for await (const part of plaintext) {
      signal.throwIfAborted();
      const bytes = Uint8Array.from(part);
      if (target) await target.write(bytes);
      else parts.push(new Blob([bytes])); // browsers move large blobs to the disk
      done += part.length;
      onProgress(done, sizeBytes);
    }
  } catch (error) {
    await target?.abort();
    throw error;
  }
  await target?.close();
  return target ? undefined : new Blob(parts);
}

async function rename({ label, file, path }: TaskOf<'rename'>, access: Access): Promise<void> {
  const { fileId } = file;
  await filesOf(access).rename(folderKey(access.phrase, label), { fileId, revision: revisionOf(file) }, path);
}
