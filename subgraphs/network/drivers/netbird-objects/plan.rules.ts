import { createHash } from 'node:crypto';
import type { FoundObject, ObjectKind } from './actual.rules.js';
import type { WantedObject } from './desired.rules.js';

/** The known state of an object on the server. */
export interface KnownObject {
  readonly kind: ObjectKind | 'machine';
  readonly id: number;
  /** Null while it is being created on the server. */
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
  /** Undefined: nobody else changed it. */
  readonly drift: DriftWord | undefined;
  /** The id on the server; null: it must be created. */
  readonly externalId: string | null;
}
/** Creates or updates an object on the server. */
export interface WriteStep extends Step {
  readonly wanted: WantedObject;
  /** Its current state on the server; undefined if it does not exist there. */
  readonly found: FoundObject | undefined;
}
/** Deletes an object from the server. */
export interface RemoveStep extends Step {
  readonly found: FoundObject;
}
/** The steps for one kind, and the rows of objects that no longer exist on the server. */
export interface Plan {
  readonly writes: readonly WriteStep[];
  readonly removals: readonly RemoveStep[];
  readonly forgotten: readonly number[];
}

/** SHA-256 of the fields in hex; equal fields have equal hashes. */
export function fieldsHash(fields: object): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** The input of a plan besides desired and known objects. */
interface Surroundings {
  /** Objects of the kind that have the tenant's prefix or are in its networks. */
  readonly found: readonly FoundObject[];
  /** All ids of the kind in the graph, including objects that wait for others. */
  readonly ids: ReadonlySet<number>;
  /** Whether the row existed before the server was read. */
  readonly isSettled: (row: KnownObject) => boolean;
  /** Whether the platform created it although no row has its id, because of a crash in between. */
  readonly isOurs: (object: FoundObject) => boolean;
}

/**
 * Compares desired and actual objects. An unknown object is adopted if it equals a desired object without an id, because
 * the response to its creation was lost. Any other unknown object with our prefix was added by somebody else.
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
