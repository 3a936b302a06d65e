import {
  decryptBytes,
  folderHash,
  folderKey,
  newMnemonic,
  PlatformError,
  walletOf,
  type Files,
  type FolderKey,
  type UploadRecord,
  type UploadRecords,
} from '../../../../sdk/src/index';
import { NoAnswer } from '../../../session/access-token';
import { claimUpload, type RunningUpload } from '../uploads/claims';
import { forgetUnfinished, keepUnfinished, unfinishedWith, type Unfinished } from '../uploads/records';
import { clientOf, isStored, presentRevision, revisionOf, sourceOf, takenPaths, type Work } from './stored-revisions';
import type { Access, Order, Report, Task, TaskOf } from './vault-tasks';

/** HTTP status of an upload whose file was replaced meanwhile. */
const CONFLICT = 409;

const running = new Map<number, AbortController>();

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if ('forget' in data) keys.clear();
  else if ('stop' in data) running.get(data.id)?.abort(new Error('Stopped.'));
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
    report({ id, problem: error instanceof Error ? error.message : String(error), code: codeOf(error) });
  } finally {
    running.delete(id);
  }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof NoAnswer) return 'NETWORK';
  return error instanceof PlatformError ? error.code : undefined;
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

const keys = new Map<string, FolderKey>();

/** The key of a folder. To derive it takes longer than to encrypt a small file. */
function keyOf({ phrase }: Access, label: string): FolderKey {
  const name = JSON.stringify([phrase, label]);
  const key = keys.get(name) ?? folderKey(phrase, label);
  keys.set(name, key);
  return key;
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
  const folder = keyOf(access, label);
  const base = task.base === undefined ? await presentRevision(access, folder.folderHash, path) : task.base;
  const about = { owner: access.owner, folderHash: folder.folderHash, path, sizeBytes: file.size };
  const done = new AbortController();
  try {
    await filesOf(access).upload({
      folder,
      relativePath: path,
      plaintext: sourceOf(file),
      base: base ? revisionOf(base) : undefined,
      records: recordsOf(about, { signal, done: done.signal }),
      signal,
      onProgress,
      source: 'web',
    });
  } catch (error) {
    if (!(task.isRepeated && isConflict(error) && (await isStored(access, task)))) throw error;
  } finally {
    done.abort();
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof PlatformError && error.status === CONFLICT;
}

function recordsOf(about: Omit<Unfinished, 'key' | keyof UploadRecord>, upload: RunningUpload): UploadRecords {
  return {
    async get(key) {
      await claimUpload(key, upload);
      return unfinishedWith(key);
    },
    set: (key, record) => keepUnfinished({ ...about, ...record, key }),
    delete: forgetUnfinished,
  };
}

async function download(
  { label, fileId, sizeBytes, handle }: TaskOf<'download'>,
  { access, signal, onProgress }: Work,
): Promise<Blob | undefined> {
  const plaintext = filesOf(access).download(keyOf(access, label), fileId);
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
  await filesOf(access).rename(keyOf(access, label), { fileId, revision: revisionOf(file) }, path);
}
