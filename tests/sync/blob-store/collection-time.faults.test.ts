import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collectDiscarded, sweepOrphans } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import { discardObjects } from '../../../subgraphs/sync/blob-store/blob/discard.actions.js';
import { newObjectKey } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import { bytesOf, keysOf, writeObject } from '../../kit/blobs/objects.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

let storage: StorageUnderTest;
beforeAll(async () => {
  storage = await openStorage();
}, 60_000);
afterAll(() => storage.close());

describe('a collection whose time is over', () => {
  it('leaves the rest of the store to the next', async () => {
    for (const folder of ['00', '77', 'ff'])
      await writeObject(storage.store, bytesOf(10), { key: `${folder}/${'0'.repeat(30)}`, length: 10 });
    await sweepOrphans(storage.after(61), 0);
    await collectDiscarded(storage.after(72));
    expect(await keysOf(storage.store)).toHaveLength(2);
    await sweepOrphans(storage.after(61));
    await collectDiscarded(storage.after(72));
    expect(await keysOf(storage.store)).toEqual([]);
  });

  it('leaves the rest of what is due to the next', async () => {
    const keys = Array.from({ length: 130 }, newObjectKey);
    await storage.database.change((transaction) => discardObjects(transaction, keys, storage.after(0).now()));
    expect(await collectDiscarded(storage.after(1), 0)).toBe(50);
    expect(await collectDiscarded(storage.after(1))).toBe(80);
  });
});
