import { showToast } from '../../../components/toasts';
import { runningDownloads } from '../../../app/running-transfers';
import { createSessionStore, session } from '../../../session/session';
import { nameOf, type FileRow } from '../operations';
import { unlocked } from '../vault/phrase';
import { inVault, type Following } from '../vault/vault';

declare global {
  interface Window {
    /** Missing in Firefox and Safari. */
    showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/** A file on its way from the platform. */
export interface Download {
  readonly id: number;
  readonly name: string;
  /** Bytes of the plaintext that are here, and all of them. */
  readonly received: number;
  readonly total: number;
}

/** Downloads of this tab in this session. They continue while other pages are shown. */
export const downloads = createSessionStore<readonly Download[]>([]);

downloads.subscribe(() => runningDownloads.set(downloads.get().length));

const stops = new Map<number, AbortController>();
let lastId = 0;

session.subscribe(() => {
  for (const stop of stops.values()) stop.abort();
});

/** Stops a download. */
export function stopDownload(id: number): void {
  stops.get(id)?.abort();
}

/** Decrypts a file into one that the user chooses, or as the browser saves downloads. */
export async function download(owner: string, file: FileRow): Promise<void> {
  const access = await unlocked(owner);
  const name = nameOf(file);
  const handle = await window.showSaveFilePicker?.({ suggestedName: name }).catch(nullIfClosed);
  if (handle === null) return;
  const { folderLabel: label, fileId } = file;
  const sizeBytes = Number(file.sizeBytes);
  const task = { kind: 'download' as const, label, fileId, sizeBytes, handle };
  await followed({ name, total: sizeBytes }, async (following) => {
    const blob = await inVault(access, task, following);
    if (blob instanceof Blob) save(blob, name);
    else showToast(`${name} is saved.`);
  });
}

/** Shows a download while its work runs. That the user stopped it is no error. */
async function followed(
  about: Pick<Download, 'name' | 'total'>,
  work: (following: Following) => Promise<void>,
): Promise<void> {
  const id = (lastId += 1);
  const stop = new AbortController();
  stops.set(id, stop);
  downloads.set([...downloads.get(), { id, ...about, received: 0 }]);
  const onProgress = (received: number) =>
    downloads.set(downloads.get().map((one) => (one.id === id ? { ...one, received } : one)));
  try {
    await work({ signal: stop.signal, onProgress });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stops.delete(id);
    downloads.set(downloads.get().filter((one) => one.id !== id));
  }
}

/** The user closed the window in which the file is chosen. @throws every other error */
function nullIfClosed(error: unknown): null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
