import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { NetbirdDriftRow, NetworkDrift } from './drift.js';
import type { ObjectKind } from '../netbird-objects/actual.rules.js';
import type { DriftChange, Plan } from '../netbird-objects/plan.rules.js';

/** Maximum rows in the answer. */
const MAX_SHOWN = 200;

const LATEST_DRIFT = query('netbird-latest-drift', (db: Tables) =>
  db
    .selectFrom('netbirdDrift')
    .select(['id', 'tenantId as tenant', 'kind', 'objectId as object', 'externalId', 'what', 'foundAt', 'repairedAt'])
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN),
);

/** The latest drift, newest first. */
export function listDrift(database: Database): Promise<NetworkDrift[]> {
  return database.run(LATEST_DRIFT, {});
}

type NewDrift = Pick<NetbirdDriftRow, 'tenantId' | 'kind' | 'objectId' | 'externalId' | 'what' | 'foundAt'>;

const RECORD_DRIFT = query(
  'netbird-record-drift',
  (db: Tables, { tenantId, kind, objectId, externalId, what, foundAt }: NewDrift) =>
    db
      .insertInto('netbirdDrift')
      .values({ tenantId, kind, objectId, externalId, what, foundAt })
      .onConflict((on) => on.doNothing()),
);

/** A change of one object that the platform did not make. */
interface Drift {
  readonly kind: ObjectKind | 'machine';
  /** The platform's id; null when unknown. */
  readonly id: number | null;
  readonly externalId: string | null;
  readonly what: DriftChange | undefined;
}

/** Records drifts. One that is already recorded and not repaired is skipped. */
export async function recordDrifts(
  database: Database,
  tenantId: number,
  { drifts, now }: { readonly drifts: readonly Drift[]; readonly now: Date },
): Promise<void> {
  for (const { kind, id: objectId, externalId, what } of drifts) {
    if (what === undefined) continue;
    const drift = { tenantId, kind, objectId, externalId: externalId ?? '', what, foundAt: now };
    await database.run(RECORD_DRIFT, drift);
  }
}

/** Returns the differences between the server and the state that the platform last wrote. */
export function driftsOf(plans: readonly Plan[]): Drift[] {
  return plans.flatMap(({ writes, removals }) => [
    ...writes.map(({ kind, desired, externalId, drift }) => ({ kind, id: desired.id, externalId, what: drift })),
    ...removals.map(({ kind, externalId, drift }) => ({ kind, id: null, externalId, what: drift })),
  ]);
}

/** Days for which repaired drift is kept. */
const KEPT_DAYS = 90;

const DELETE_DRIFT = query('netbird-delete-drift', (db: Tables, { now }: { now: Date }) =>
  db
    .deleteFrom('netbirdDrift')
    .where('repairedAt', '<', sql<Date>`${now}::timestamptz - interval ${sql.lit(`${KEPT_DAYS} days`)}`),
);

/** Deletes drift that was repaired long ago. */
export async function deleteOldDrift(database: Database, now: Date): Promise<void> {
  await database.run(DELETE_DRIFT, { now });
}
