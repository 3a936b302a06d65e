import { backoff } from '../../../../sdk/src/transport';
import { createStore } from '../../../runtime/store';
import { waitToRetry } from '../../../graphql/connection';
import { messageOf } from '../../../graphql/refusal';
import { runningUploads } from '../../../app/running-transfers';
import { createSessionStore, session } from '../../../session/session';
import { inVault, TaskError } from '../vault/vault';
import type { Access, FileRevision } from '../vault/vault-tasks';

/** A file with its path in the folder. */
export interface PathedFile {
  readonly path: string;
  readonly file: File;
}

/** A file to upload. */
export interface PlannedUpload extends PathedFile {
  /** The revision that it replaces; null for a new file, undefined if it is looked up. */
  readonly base: FileRevision | null | undefined;
}

/** A file on its way to the platform. */
export interface Upload extends PlannedUpload {
  readonly id: number;
  readonly access: Access;
  readonly label: string;
  /** Bytes of the file that the platform has. */
  readonly sent: number;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Why it failed, or why it waits. */
  readonly problem: string | undefined;
  /** Whether a try got no answer: it may have stored the file. */
  readonly isRepeated: boolean;
}

/** Files that are sent at once; each large one sends four chunks at once. */
const PARALLEL_FILES = 2;

/** Uploads of this tab in this session. They continue while other pages are shown. */
export const uploads = createSessionStore<readonly Upload[]>([]);

/** Grows with each change of the stored files, so that lists are loaded again. */
export const storedChanges = createStore(0);

const NO_NETWORK = 'The server does not answer. This goes on by itself when it does.';

const stops = new Map<number, AbortController>();
let lastId = 0;

session.subscribe(() => {
  for (const stop of stops.values()) stop.abort();
});

uploads.subscribe(() => runningUploads.set(uploads.get().filter(isUnfinished).length));

/** Tells lists of files to load again. */
export function filesChanged(): void {
  storedChanges.set(storedChanges.get() + 1);
}

/** The paths in a folder of the uploads of this tab that fulfil a condition. */
export function pathsOf(label: string, isMeant: (upload: Upload) => boolean): ReadonlySet<string> {
  const meant = uploads.get().filter((upload) => upload.label === label && isMeant(upload));
  return new Set(meant.map(({ path }) => path));
}

/**
 * Encrypts and uploads files into a folder, in place of those to the same paths that failed. Interrupted uploads of the same
 * files are continued. What another program stores meanwhile is not replaced.
 */
export function addUploads(access: Access, label: string, files: readonly PlannedUpload[]): void {
  // What this tab sends is what the next upload to the same path replaces.
  const own = pathsOf(label, isUnfinished);
  const paths = new Set(files.map(({ path }) => path));
  const kept = uploads.get().filter((upload) => upload.label !== label || !isFailed(upload) || !paths.has(upload.path));
  const added = files.map(({ path, file, base }): Upload => {
    const about = { id: (lastId += 1), access, label, path, file, base: own.has(path) ? undefined : base };
    return { ...about, sent: 0, state: 'waiting', problem: undefined, isRepeated: false };
  });
  uploads.set([...kept, ...added]);
  fill();
}

/** Stops an upload and takes it from the list. What was sent is kept for a day, so that the upload can be resumed. */
export function stopUpload(id: number): void {
  stops.get(id)?.abort();
  uploads.set(uploads.get().filter((upload) => upload.id !== id));
  filesChanged();
}

/** Takes the finished uploads from the list. */
export function clearDone(): void {
  uploads.set(uploads.get().filter(({ state }) => state !== 'done'));
}

/** Milliseconds between two loads of the lists while files are uploaded one after the other. */
const LOAD_INTERVAL_MS = 2_000;

let loadTimer: ReturnType<typeof setTimeout> | undefined;

/** Tells lists of files to load again after an upload: at once after the last one. */
function uploadStored(): void {
  if (uploads.get().some(isUnfinished)) {
    loadTimer ??= setTimeout(loadLists, LOAD_INTERVAL_MS);
    return;
  }
  clearTimeout(loadTimer);
  loadLists();
}

function loadLists(): void {
  loadTimer = undefined;
  filesChanged();
}

const MAX_WAIT_MS = 30_000;

/** Tries without an answer since the last one that the platform answered. */
let lostTries = 0;
let isWaiting = false;

/** Goes on with the waiting uploads after a while, or when the browser is online again. */
async function waitForNetwork(): Promise<void> {
  if (isWaiting) return;
  isWaiting = true;
  await waitToRetry(Math.min(backoff((lostTries += 1)), MAX_WAIT_MS));
  isWaiting = false;
  fill();
}

function fill(): void {
  if (isWaiting) return;
  const all = uploads.get();
  const free = PARALLEL_FILES - all.filter(({ state }) => state === 'running').length;
  const next = all.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0));
  for (const upload of next) void send(upload);
}

async function send({ id, access, label, path, file, base, isRepeated }: Upload): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  change(id, { state: 'running', problem: undefined });
  try {
    // The ciphertext is a little longer than the file.
    const onProgress = (sent: number, total: number) => change(id, { sent: Math.floor((sent / total) * file.size) });
    const task = { kind: 'upload' as const, label, path, file, base, isRepeated };
    await inVault(access, task, { signal: stop.signal, onProgress });
    lostTries = 0;
    change(id, { state: 'done' });
    uploadStored();
  } catch (error) {
    if (error instanceof TaskError && error.code === 'NETWORK') {
      change(id, { state: 'waiting', sent: 0, problem: NO_NETWORK, isRepeated: true });
      void waitForNetwork();
    } else {
      change(id, { state: 'failed', problem: messageOf(error) });
      uploadStored();
    }
  } finally {
    stops.delete(id);
    fill();
  }
}

export function isUnfinished({ state }: Upload): boolean {
  return state === 'waiting' || state === 'running';
}

export function isFailed({ state }: Upload): boolean {
  return state === 'failed';
}

function change(id: number, values: Partial<Upload>): void {
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
}
