import type { AccessKey } from './operations';

/** A key with its depth below the keys that it was made from. */
export interface Branch {
  readonly key: AccessKey;
  readonly depth: number;
}

/** Orders keys so that each follows its parent. Keys whose parent is not in the list are roots. */
export function branchesOf(keys: readonly AccessKey[]): readonly Branch[] {
  const ids = new Set(keys.map(({ id }) => id));
  const childrenOf = new Map<number | null, AccessKey[]>();
  for (const key of keys) {
    const parent = key.parentId !== null && ids.has(key.parentId) ? key.parentId : null;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), key]);
  }
  const below = (parent: number | null, depth: number): Branch[] =>
    (childrenOf.get(parent) ?? []).flatMap((key) => [{ key, depth }, ...below(key.id, depth + 1)]);
  return below(null, 0);
}
