import { mkdir, readdir, readFile, stat, statfs, unlink, writeFile, link, chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  isObjectKey,
  newObjectKey,
  type BlobStore,
  type BlobWriter,
  type ByteRange,
  type ObjectPage,
  type StoredObject,
} from './blob-store.js';
import { openFileRange } from './file-reader.js';
import { FileWriter, syncFolder } from './file-writer.js';
import { throwStorageFault } from './storage-fault.js';

/** Directories for the key prefixes 00 to ff. */
const FOLDERS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

/** Objects of one page. */
const PAGE = 1000;

/** Object with the id of the store, and object of the write test. */
const STORE_ID_FILE = 'store-id';
const PROBE = 'probe';

/** Minimum free bytes of a disk that is not full. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Opens the directory; creates it and its subdirectories at first use. @throws the system error */
export async function openDirectoryStore(root: string): Promise<BlobStore> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
  const known = new Set(await readdir(root));
  const missing = FOLDERS.filter((folder) => !known.has(folder));
  await Promise.all(missing.map((folder) => mkdir(join(root, folder), { recursive: true, mode: 0o700 })));
  await syncFolder(root);
  await syncFolder(dirname(root));
  return new DirectoryStore(root);
}

/** Stores objects as files. Files are never renamed: a file is synced before its row is written. */
class DirectoryStore implements BlobStore {
  readonly location = 'directory';
  readonly holdsUnknownLength = false;

  constructor(private readonly root: string) {}

  get title(): string {
    return this.root;
  }

  async create(key: string, length?: number): Promise<BlobWriter> {
    const path = join(this.root, key);
    return FileWriter.create({ key, path, folder: dirname(path) }, length).catch(throwStorageFault);
  }

  read(key: string, range: ByteRange): Promise<Readable> {
    return openFileRange(key, join(this.root, key), range).catch(throwStorageFault);
  }

  async remove(key: string): Promise<void> {
    await unlink(join(this.root, key)).catch(unlessMissing).catch(throwStorageFault);
  }

  async list(after = ''): Promise<ObjectPage> {
    for (const folder of FOLDERS) {
      if (folder < after.slice(0, 2)) continue;
      const keys = (await this.keysIn(folder)).filter((key) => key > after);
      const page = keys.slice(0, PAGE);
      const objects = await Promise.all(page.map((key) => this.statObject(key)));
      const next = page.at(-1);
      if (next !== undefined) return { objects: objects.filter((object) => object !== undefined), next };
    }
    return { objects: [], next: undefined };
  }

  async check(): Promise<void> {
    const probe = join(this.root, PROBE);
    try {
      await writeFile(probe, 'write test\n', { mode: 0o600, flush: true });
      await unlink(probe).catch(unlessMissing);
      const { bavail, bsize } = await statfs(this.root);
      if (bavail * bsize < MIN_FREE_BYTES) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    } catch (error) {
      throwStorageFault(error);
    }
  }

  async readStoreId(): Promise<string | undefined> {
    const text = await readFile(join(this.root, STORE_ID_FILE), 'utf8').catch(unlessMissing).catch(throwStorageFault);
    return text?.trim();
  }

  /** A hard link never replaces a file and never shows half of it. */
  async writeStoreId(id: string): Promise<void> {
    const draft = join(this.root, `${STORE_ID_FILE}.${newObjectKey().slice(3)}`);
    try {
      await writeFile(draft, `${id}\n`, { mode: 0o600, flush: true });
      await link(draft, join(this.root, STORE_ID_FILE)).catch(unlessThere);
      await unlink(draft);
      await syncFolder(this.root);
    } catch (error) {
      throwStorageFault(error);
    }
  }

  private async keysIn(folder: string): Promise<string[]> {
    const names = await readdir(join(this.root, folder)).catch(throwStorageFault);
    return names
      .map((name) => `${folder}/${name}`)
      .filter(isObjectKey)
      .toSorted();
  }

  /** Undefined if the object was removed meanwhile. */
  private async statObject(key: string): Promise<StoredObject | undefined> {
    const found = await stat(join(this.root, key)).catch(unlessMissing).catch(throwStorageFault);
    return found && { key, writtenAt: found.mtime };
  }
}

const unlessMissing = unlessCode('ENOENT');
const unlessThere = unlessCode('EEXIST');

function unlessCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
