import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { bytesOf, keysOf, reasonOf, writeObject } from './objects.js';

/**
 * A process that writes objects into DATA_DIR, for faults that would break the process of the test. Arguments: `objects` writes
 * a small and a large object and prints the results; `drip` writes one until it is killed; `stranger` does the same as `objects`
 * as a user with read permission only.
 */
const [mode, dataDir = ''] = process.argv.slice(2);
const store = await openBlobStore({ dataDir, blobStore: undefined });
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

// Without a handler, SIGXFSZ kills a process that exceeds the file size limit.
process.on('SIGXFSZ', () => undefined);

if (mode === 'drip') {
  const writer = await store.create('ab/00000000000000000000000000000c');
  await writer.write(bytesOf(3 * 1024 * 1024));
  print('writing');
  setInterval(() => void writer.write(bytesOf(65_536)), 1);
} else {
  if (mode === 'stranger' && process.getuid?.() === 0) process.seteuid?.(65_534);
  const outcome = (length: number): Promise<unknown> => reasonOf(() => writeObject(store, bytesOf(length), { length }));
  const outcomes = [await outcome(1000), await outcome(3 * 1024 * 1024), await outcome(1000)];
  if (mode === 'stranger' && process.getuid?.() === 0) process.seteuid?.(0);
  print({ outcomes, objects: (await keysOf(store)).length });
}
