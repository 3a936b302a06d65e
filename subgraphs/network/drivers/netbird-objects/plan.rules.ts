import { createHash } from 'node:crypto';
import type { FoundObject, ObjectKind } from './actual.rules.js';
import type { WantedObject } from './desired.rules.js';

/** The known state of an object on the server. */
export interface KnownObject {
  readonly kind: ObjectKind | 'machine';
  readonly id: number;
  /** Null while the server is asked for it. */
  readonly externalId: string | null;
  readonly parentId: string | null;
  readonly sentHash: string | null;
  readonly answeredHash: string | null;
  readonly sentAt: Date;
}

/** How an object was changed by others. */
export const DRIFTS = ['changed', 'deleted', 'added'] as const;
export type DriftWord = (typeof DRIFTS)[number];

interface Step {
  readonly kind: ObjectKind;
  /** Undefined: graph and tables know nothing of it. */
  readonly drift: DriftWord | undefined;
  /** At the server; null: it is to be created. */
  readonly externalId: string | null;
}
/** Creates or updates an object on the server. */
export interface WriteStep extends Step {
  readonly wanted: WantedObject;
  /** As it is there now; undefined: it is not. */
  readonly found: FoundObject | undefined;
}
/** Deletes an object from the server. */
export interface RemoveStep extends Step {
  readonly found: FoundObject;
}
/** What there is to do about one kind, and what rows have nothing at the server to tell of any more. */
export interface Plan {
  readonly writes: readonly WriteStep[];
  readonly removals: readonly RemoveStep[];
  readonly forgotten: readonly number[];
}

/** SHA-256, hex, of what is equal when sent. */
export function fieldsHash(fields: object): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** What there is besides what is wanted and known. */
interface Surroundings {
  /** Objects of the kind that bear the tenant's name or are in its networks. */
  readonly found: readonly FoundObject[];
  /** All of the kind in the graph, those too that have to wait for others. */
  readonly ids: ReadonlySet<number>;
  /** Whether the table had it already when the server was read. */
  readonly isSettled: (row: KnownObject) => boolean;
  /** Whether it was made by us although no row has its id: a crash came between. */
  readonly isOurs: (object: FoundObject) => boolean;
}

/**
 * Compares what should be with what is. What the table does not know is taken as ours when it looks like a wanted
 * object that has no id: an answer was lost; anything else below our prefix is somebody's addition.
 */
export function planKind(
  wanted: readonly WantedObject[],
  known: ReadonlyMap<number, KnownObject>,
  { found, ids, isSettled, isOurs }: Surroundings,
): Plan {
  const byId = new Map(found.map((object) => [object.externalId, object]));
  const claimed = new Set([...known.values()].flatMap(({ externalId }) => externalId ?? []));
  const orphans = new Map(
    found.filter(({ externalId }) => !claimed.has(externalId)).map((each) => [looks(each), each]),
  );
  const writes = wanted.flatMap((object) => {
    const row = known.get(object.id);
    const own = byId.get(row?.externalId ?? '');
    const there = own?.parentId === object.parentId ? own : orphans.get(looks(object));
    if (there) orphans.delete(looks(object));
    return writeOf(object, there, { row, isSettled: row === undefined || isSettled(row) });
  });
  const kept = new Set([...ids].flatMap((id) => known.get(id)?.externalId ?? []));
  for (const { found: there } of writes) if (there) kept.add(there.externalId);
  return {
    writes,
    removals: found
      .filter(({ externalId }) => !kept.has(externalId))
      .map((each) => ({
        kind: each.kind,
        externalId: each.externalId,
        found: each,
        drift: claimed.has(each.externalId) || isOurs(each) ? undefined : 'added',
      })),
    forgotten: [...known.values()].filter((row) => !ids.has(row.id) && isSettled(row)).map(({ id }) => id),
  };
}

function writeOf(
  wanted: WantedObject,
  found: FoundObject | undefined,
  { row, isSettled }: { readonly row: KnownObject | undefined; readonly isSettled: boolean },
): WriteStep[] {
  if (!isSettled) return [];
  const { externalId: known, sentHash, answeredHash } = row ?? { externalId: null, sentHash: null, answeredHash: null };
  const step = { kind: wanted.kind, wanted, found, externalId: found ? found.externalId : known };
  if (!found) return [{ ...step, drift: known === null ? undefined : 'deleted' }];
  if (known !== found.externalId || sentHash !== fieldsHash(wanted.fields)) return [{ ...step, drift: undefined }];
  return answeredHash === fieldsHash(found.fields) ? [] : [{ ...step, drift: 'changed' }];
}

/** The key that identifies an object without a known id. */
function looks({ kind, parentId, fields }: Pick<WantedObject, 'kind' | 'parentId' | 'fields'>): string {
  return JSON.stringify([parentId, kind === 'router' ? fields.peer_groups : fields.name]);
}
