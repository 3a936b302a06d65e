import type { Database } from '../../../../kernel/database/database.js';
import type { NetworkDrift } from './drift.js';
import type { ObjectKind } from '../netbird-objects/actual.rules.js';
import type { DriftWord, Plan } from '../netbird-objects/plan.rules.js';

const MAX_SHOWN = 200;

const LATEST_DRIFT = {
  name: 'netbird-latest-drift',
  text: `
    SELECT id, tenant_id AS tenant, kind, object_id AS object, external_id AS "externalId", what,
           found_at AS "foundAt", repaired_at AS "repairedAt"
      FROM network.netbird_drift ORDER BY id DESC LIMIT ${MAX_SHOWN}`,
};

/** The latest drift, newest first. */
export function listDrift(database: Database): Promise<NetworkDrift[]> {
  return database.rows<NetworkDrift>(LATEST_DRIFT);
}

const NOTE_DRIFT = {
  name: 'netbird-note-drift',
  text: `
    INSERT INTO network.netbird_drift (tenant_id, kind, object_id, external_id, what, found_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
};

/** What somebody else did to one object. */
interface Drift {
  readonly kind: ObjectKind | 'machine';
  /** The platform's id; null when unknown. */
  readonly id: number | null;
  readonly externalId: string | null;
  readonly what: DriftWord | undefined;
}

/** Records a drift once. */
export async function noteDrifts(
  database: Database,
  tenantId: number,
  { drifts, now }: { readonly drifts: readonly Drift[]; readonly now: Date },
): Promise<void> {
  for (const { kind, id, externalId, what } of drifts)
    if (what !== undefined) await database.rows(NOTE_DRIFT, [tenantId, kind, id, externalId ?? '', what, now]);
}

/** What is otherwise than it was left. */
export function driftsOf(plans: readonly Plan[]): Drift[] {
  return plans.flatMap(({ writes, removals }) => [
    ...writes.map(({ kind, wanted, externalId, drift }) => ({ kind, id: wanted.id, externalId, what: drift })),
    ...removals.map(({ kind, externalId, drift }) => ({ kind, id: null, externalId, what: drift })),
  ]);
}

/** Days for which repaired drift is kept. */
const KEPT_DAYS = 90;

const FORGET_DRIFT = {
  name: 'netbird-forget-drift',
  text: `DELETE FROM network.netbird_drift WHERE repaired_at < $1::timestamptz - interval '${KEPT_DAYS} days'`,
};

/** Deletes drift that was repaired long ago. */
export async function forgetOldDrift(database: Database, now: Date): Promise<void> {
  await database.rows(FORGET_DRIFT, [now]);
}
