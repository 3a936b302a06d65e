import type { UploadRecord } from '../../../../sdk/src/index';

/** An upload that was interrupted, with what is needed to resume it. */
export interface Unfinished extends UploadRecord {
  /** Names the owner, the folder and the path. */
  readonly key: string;
  readonly owner: string;
  readonly folderHash: string;
  readonly path: string;
  readonly sizeBytes: number;
}

const DATABASE = 'archipelago';
const STORE = 'uploads';

/** The unfinished uploads of an owner that this browser began. */
export async function unfinishedOf(owner: string): Promise<readonly Unfinished[]> {
  const all = await inStore('readonly', (store) => store.getAll() as IDBRequest<Unfinished[]>);
  return all.filter((record) => record.owner === owner);
}

/** The unfinished upload with a key. */
export function unfinishedWith(key: string): Promise<Unfinished | undefined> {
  return inStore('readonly', (store) => store.get(key) as IDBRequest<Unfinished | undefined>);
}

/** Keeps an unfinished upload until it is done. */
export async function keepUnfinished(record: Unfinished): Promise<void> {
  await inStore('readwrite', (store) => store.put(record));
}

/** Forgets an upload. */
export async function forgetUnfinished(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key));
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'key' });
  const database = await settled(opening);
  try {
    return await settled(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('This browser keeps no records of uploads.'));
  });
}
