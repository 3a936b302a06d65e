/** Loads the values of several keys of one request in one call, in the order of the keys. */
export type LoadAll<Request, Key, Value> = (
  request: Request,
  keys: readonly Key[],
) => Promise<readonly (Value | undefined)[]>;

interface Batch<Key, Value> {
  /** By its name, so that a key that is asked for twice is loaded once. */
  readonly keys: Map<unknown, Key>;
  readonly values: Promise<ReadonlyMap<unknown, Value | undefined>>;
}

/**
 * Returns a function that loads one value. All calls of a request whose resolvers run at the same time share one load, so
 * that a field costs the same number of statements for one row and for many. The load gets equal keys once. Nothing is cached.
 * Without its cache, `dataloader` would replace only `openBatch`.
 */
export function batched<Request extends object, Key, Value>(
  load: LoadAll<Request, Key, Value>,
): (request: Request, key: Key) => Promise<Value | undefined> {
  const open = new WeakMap<Request, Batch<Key, Value>>();
  return async (request, key) => {
    const batch = open.get(request) ?? openBatch(open, request, load);
    const name = nameOf(key);
    batch.keys.set(name, key);
    return (await batch.values).get(name);
  };
}

function nameOf(key: unknown): unknown {
  return typeof key === 'object' ? JSON.stringify(key) : key;
}

function openBatch<Request extends object, Key, Value>(
  open: WeakMap<Request, Batch<Key, Value>>,
  request: Request,
  load: LoadAll<Request, Key, Value>,
): Batch<Key, Value> {
  const keys = new Map<unknown, Key>();
  const values = otherResolvers().then(async () => {
    open.delete(request);
    const loaded = await load(request, [...keys.values()]);
    return new Map([...keys.keys()].map((name, position) => [name, loaded[position]]));
  });
  const batch = { keys, values };
  open.set(request, batch);
  return batch;
}

/** Resolves after all resolvers that can run now, and the promises that they have resolved. */
function otherResolvers(): Promise<void> {
  return new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
}

/** Returns a load that loads each key by itself: for keys that are equal in all rows, like the id of the viewer. */
export function oncePerKey<Request, Key, Value>(
  load: (request: Request, key: Key) => Promise<Value | undefined>,
): LoadAll<Request, Key, Value> {
  return (request, keys) => Promise.all(keys.map((key) => load(request, key)));
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
