import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  newObjectKey,
  type BlobStore,
  type ByteRange,
  type StoredObject,
} from '../../../subgraphs/sync/blob-store/store/blob-store.js';

/** Writes an object in pieces, as a socket delivers it. Returns its key. */
export async function writeObject(
  store: BlobStore,
  bytes: Buffer,
  { key = newObjectKey(), length, step = 65_536 }: { key?: string; length?: number; step?: number } = {},
): Promise<string> {
  const writer = await store.create(key, length);
  try {
    for (let at = 0; at < bytes.length; at += step) {
      // A copy: the writer takes the bytes over.
      const going = writer.write(Buffer.from(bytes.subarray(at, at + step)));
      if (going !== true) await going;
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.commit();
  return key;
}

/** Reads the bytes of an object. */
export async function readObject(store: BlobStore, key: string, range: ByteRange): Promise<Buffer> {
  return buffer(await store.read(key, range));
}

/** Lists all objects of a store. */
export async function objectsOf(store: BlobStore): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  let after: string | undefined;
  do {
    const page = await store.list(after);
    objects.push(...page.objects);
    after = page.next;
  } while (after !== undefined);
  return objects;
}

/** Lists all keys of a store. */
export async function keysOf(store: BlobStore): Promise<string[]> {
  return (await objectsOf(store)).map(({ key }) => key);
}

/** Returns the `reason` of the error of the work. */
export async function reasonOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return 'no refusal';
  } catch (error) {
    return (error as { extensions?: { reason?: unknown } }).extensions?.reason ?? error;
  }
}

export const bytesOf = (length: number): Buffer => randomBytes(length);
