import { createHash } from 'node:crypto';
import type { ActualObject, ObjectKind } from './actual.rules.js';
import type { DesiredObject } from './desired.rules.js';

/** The known state of an object on the server. */
export interface KnownObject {
  readonly kind: ObjectKind | 'machine';
  readonly id: number;
  /** Null while it is being created on the server. */
  readonly externalId: string | null;
  readonly parentId: string | null;
  readonly sentHash: string | null;
  readonly answeredHash: string | null;
  /** By the clock of PostgreSQL. */
  readonly sentAt: Date;
}

/** How an object was changed by others. */
export const DRIFT_CHANGES = ['changed', 'deleted', 'added'] as const;
export type DriftChange = (typeof DRIFT_CHANGES)[number];

interface Step {
  readonly kind: ObjectKind;
  /** Undefined: nobody else changed it. */
  readonly drift: DriftChange | undefined;
  /** The id on the server; null: it must be created. */
  readonly externalId: string | null;
}
/** Creates or updates an object on the server. */
export interface WriteStep extends Step {
  readonly desired: DesiredObject;
  /** Its current state on the server; undefined if it does not exist there. */
  readonly actual: ActualObject | undefined;
}
/** Deletes an object from the server. */
export interface RemoveStep extends Step {
  readonly actual: ActualObject;
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
interface PlanInput {
  /** Objects of the kind that have the tenant's prefix or are in its networks. */
  readonly actual: readonly ActualObject[];
  /** All ids of the kind in the graph, including objects that wait for others. */
  readonly ids: ReadonlySet<number>;
  /** Whether the row existed before the server was read. */
  readonly isSettled: (row: KnownObject) => boolean;
  /** Whether the platform created it although no row has its id, because of a crash in between. */
  readonly isOurs: (object: ActualObject) => boolean;
}

/**
 * Compares desired and actual objects. An unknown object is adopted if it equals a desired object without an id, because
 * the response to its creation was lost. Any other unknown object with our prefix was added by somebody else.
 */
export function planKind(
  desired: readonly DesiredObject[],
  known: ReadonlyMap<number, KnownObject>,
  { actual, ids, isSettled, isOurs }: PlanInput,
): Plan {
  const byId = new Map(actual.map((object) => [object.externalId, object]));
  const claimed = new Set([...known.values()].flatMap(({ externalId }) => externalId ?? []));
  const orphans = new Map(
    actual.filter(({ externalId }) => !claimed.has(externalId)).map((each) => [matchKey(each), each]),
  );
  const writes = desired.flatMap((object) => {
    const row = known.get(object.id);
    const own = byId.get(row?.externalId ?? '');
    const there = own?.parentId === object.parentId ? own : orphans.get(matchKey(object));
    if (there) orphans.delete(matchKey(object));
    return writeOf(object, there, { row, isSettled: row === undefined || isSettled(row) });
  });
  const kept = new Set([...ids].flatMap((id) => known.get(id)?.externalId ?? []));
  for (const { actual: there } of writes) if (there) kept.add(there.externalId);
  return {
    writes,
    removals: actual
      .filter(({ externalId }) => !kept.has(externalId))
      .map((each) => ({
        kind: each.kind,
        externalId: each.externalId,
        actual: each,
        drift: claimed.has(each.externalId) || isOurs(each) ? undefined : 'added',
      })),
    forgotten: [...known.values()].filter((row) => !ids.has(row.id) && isSettled(row)).map(({ id }) => id),
  };
}

function writeOf(
  desired: DesiredObject,
  actual: ActualObject | undefined,
  { row, isSettled }: { readonly row: KnownObject | undefined; readonly isSettled: boolean },
): WriteStep[] {
  if (!isSettled) return [];
  const { externalId: known, sentHash, answeredHash } = row ?? { externalId: null, sentHash: null, answeredHash: null };
  const step = { kind: desired.kind, desired, actual, externalId: actual ? actual.externalId : known };
  if (!actual) return [{ ...step, drift: known === null ? undefined : 'deleted' }];
  if (known !== actual.externalId || sentHash !== fieldsHash(desired.fields)) return [{ ...step, drift: undefined }];
  return answeredHash === fieldsHash(actual.fields) ? [] : [{ ...step, drift: 'changed' }];
}

/** The key that identifies an object without a known id. */
function matchKey({ kind, parentId, fields }: Pick<DesiredObject, 'kind' | 'parentId' | 'fields'>): string {
  return JSON.stringify([parentId, kind === 'router' ? fields.peer_groups : fields.name]);
}
