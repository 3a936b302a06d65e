/** An object of `kubernetes-models`. */
interface Model {
  validate(): void;
}

/**
 * Validates an object by the schema of its kind, which allows other fields; this does not. A validator reads every field
 * that its schema has, and all of a map, so a field that it has not read is unknown.
 * @throws Error that names the unknown fields
 */
export function validateStrictly(model: Model): void {
  const unread = new Set<string>();
  const recorded = recording(model, '', unread);
  model.validate.call(recorded);
  if (unread.size > 0) throw new Error(`unknown fields: ${[...unread].join(', ')}`);
}

/** Returns a view of the value. `unread` has the paths of its fields, and of those in fields that were read, until they are read too. */
function recording<Value extends object>(value: Value, path: string, unread: Set<string>): Value {
  const pathOf = (key: string | symbol) => `${path}/${String(key)}`;
  for (const key of Object.keys(value)) unread.add(pathOf(key));
  const views = new Map<string | symbol, object>();
  return new Proxy(value, {
    get(target, key, receiver) {
      unread.delete(pathOf(key));
      const found: unknown = Reflect.get(target, key, receiver);
      if (typeof found !== 'object' || found === null) return found;
      const view = views.get(key) ?? recording(found, pathOf(key), unread);
      views.set(key, view);
      return view;
    },
  });
}
