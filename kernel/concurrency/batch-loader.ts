import { AsyncResource } from 'node:async_hooks';

/** Finds the values of keys at once; keys without one are left out. */
export type Look<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Wanted<Value> {
  readonly found: Promise<Value | undefined>;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks things up in batches, one batch at a time: at once when nothing is being looked up, else with all that is asked for
 * meanwhile. However many ask, they take one connection. A look begins after it was asked for and nothing is kept of it.
 */
export class BatchLoader<Value> {
  private waiting = new Map<string, Wanted<Value>>();
  private isLooking = false;
  /** Nobody's context. */
  private readonly apart = new AsyncResource('Batches');

  constructor(
    /** Keys in one look at most. */
    private readonly most: number,
  ) {}

  /** The value of a key, undefined where it has none. @param look may not depend on who asks @throws what `look` throws */
  find(key: string, look: Look<Value>): Promise<Value | undefined> {
    const wanted = this.waiting.get(key) ?? wantedNow<Value>();
    this.waiting.set(key, wanted);
    if (!this.isLooking) void this.lookWhileWanted(look);
    return wanted.found;
  }

  private async lookWhileWanted(look: Look<Value>): Promise<void> {
    this.isLooking = true;
    await lookFor(this.nextBatch(), look);
    // Of the batches that follow none is more of one who asked than of another; whoever asked first is long answered.
    while (this.waiting.size > 0) await this.apart.runInAsyncScope(() => lookFor(this.nextBatch(), look));
    this.isLooking = false;
  }

  /** Those who have waited the longest. */
  private nextBatch(): ReadonlyMap<string, Wanted<Value>> {
    const all = this.waiting;
    if (all.size <= this.most) {
      this.waiting = new Map();
      return all;
    }
    const batch = new Map([...all].slice(0, this.most));
    for (const key of batch.keys()) all.delete(key);
    return batch;
  }
}

async function lookFor<Value>(batch: ReadonlyMap<string, Wanted<Value>>, look: Look<Value>): Promise<void> {
  try {
    const found = await look([...batch.keys()]);
    for (const [key, { resolve }] of batch) resolve(found.get(key));
  } catch (error) {
    for (const { reject } of batch.values()) reject(error);
  }
}

function wantedNow<Value>(): Wanted<Value> {
  let resolve: Wanted<Value>['resolve'] = () => undefined;
  let reject: Wanted<Value>['reject'] = () => undefined;
  const found = new Promise<Value | undefined>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { found, resolve, reject };
}
