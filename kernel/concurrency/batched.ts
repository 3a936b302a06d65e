/** Loads the values of several keys of one request in one call, in the order of the keys. */
export type LoadAll<Request, Key, Value> = (
  request: Request,
  keys: readonly Key[],
) => Promise<readonly (Value | undefined)[]>;

interface Batch<Key, Value> {
  readonly keys: Key[];
  readonly values: Promise<readonly (Value | undefined)[]>;
}

/**
 * Returns a function that loads one value. All calls of a request whose resolvers run at the same time share one load, so
 * that a field costs the same number of statements for one row and for many. Nothing is cached. Without its cache, `dataloader`
 * would replace only `openBatch`.
 */
export function batched<Request extends object, Key, Value>(
  load: LoadAll<Request, Key, Value>,
): (request: Request, key: Key) => Promise<Value | undefined> {
  const open = new WeakMap<Request, Batch<Key, Value>>();
  return async (request, key) => {
    const batch = open.get(request) ?? openBatch(open, request, load);
    const position = batch.keys.push(key) - 1;
    return (await batch.values)[position];
  };
}

function openBatch<Request extends object, Key, Value>(
  open: WeakMap<Request, Batch<Key, Value>>,
  request: Request,
  load: LoadAll<Request, Key, Value>,
): Batch<Key, Value> {
  const keys: Key[] = [];
  const values = otherResolvers().then(() => {
    open.delete(request);
    return load(request, keys);
  });
  const batch = { keys, values };
  open.set(request, batch);
  return batch;
}

/** Resolves after all resolvers that can run now, and the promises that they have resolved. */
function otherResolvers(): Promise<void> {
  return new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
}

/** Returns a load for lists that a graph can lead to many times: each user's is loaded once for all of its occurrences. */
export function oncePerUser<Request, Value>(
  load: (request: Request, userId: number) => Promise<Value | undefined>,
): LoadAll<Request, number, Value> {
  return async (request, userIds) => {
    const loaded = new Map([...new Set(userIds)].map((userId) => [userId, load(request, userId)]));
    return Promise.all(userIds.map(async (userId) => loaded.get(userId)));
  };
}

/** Orders rows by the keys they were loaded for. */
export function inOrder<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | undefined)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key));
}
