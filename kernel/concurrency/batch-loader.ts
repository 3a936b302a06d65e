import { AsyncResource } from 'node:async_hooks';

/** Loads the values of several keys in one call. The result omits keys without a value. */
export type LoadBatch<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface PendingLoad<Value> {
  readonly found: Promise<Value | undefined>;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Loads values in batches, one batch at a time, so that all callers together use one connection. A call starts a batch
 * at once if none is running; otherwise it joins the next batch. Results are not cached. `dataloader` batches the keys of one
 * turn of the event loop: under load that is many batches at once, each with a connection.
 */
export class BatchLoader<Value> {
  private waiting = new Map<string, PendingLoad<Value>>();
  private isLoading = false;
  /** Has no async context, so that a batch does not run in the context of one caller. */
  private readonly noContext = new AsyncResource('BatchLoader');

  constructor(
    /** Maximum number of keys in one batch. */
    private readonly maxBatchSize: number,
  ) {}

  /** Returns the value of a key; undefined if it has none. @param loadBatch must not depend on the caller @throws what `loadBatch` throws */
  find(key: string, loadBatch: LoadBatch<Value>): Promise<Value | undefined> {
    const pending = this.waiting.get(key) ?? newPendingLoad<Value>();
    this.waiting.set(key, pending);
    if (!this.isLoading) void this.loadAll(loadBatch);
    return pending.found;
  }

  private async loadAll(loadBatch: LoadBatch<Value>): Promise<void> {
    this.isLoading = true;
    await runBatch(this.nextBatch(), loadBatch);
    // Later batches belong to several callers, so they run outside the context of the first.
    while (this.waiting.size > 0) await this.noContext.runInAsyncScope(() => runBatch(this.nextBatch(), loadBatch));
    this.isLoading = false;
  }

  /** The keys that have waited longest. */
  private nextBatch(): ReadonlyMap<string, PendingLoad<Value>> {
    const all = this.waiting;
    if (all.size <= this.maxBatchSize) {
      this.waiting = new Map();
      return all;
    }
    const batch = new Map([...all].slice(0, this.maxBatchSize));
    for (const key of batch.keys()) all.delete(key);
    return batch;
  }
}

async function runBatch<Value>(
  batch: ReadonlyMap<string, PendingLoad<Value>>,
  loadBatch: LoadBatch<Value>,
): Promise<void> {
  try {
    const found = await loadBatch([...batch.keys()]);
    for (const [key, { resolve }] of batch) resolve(found.get(key));
  } catch (error) {
    for (const { reject } of batch.values()) reject(error);
  }
}

function newPendingLoad<Value>(): PendingLoad<Value> {
  let resolve: PendingLoad<Value>['resolve'] = () => undefined;
  let reject: PendingLoad<Value>['reject'] = () => undefined;
  const found = new Promise<Value | undefined>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { found, resolve, reject };
}
