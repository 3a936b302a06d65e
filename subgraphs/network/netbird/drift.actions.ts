import type { Database } from '../../../kernel/database.js';
import type { NetworkDrift } from './drift.js';

const MOST_SHOWN = 200;

const LATEST_DRIFT = {
  name: 'netbird-latest-drift',
  text: `
    SELECT id, tenant_id AS tenant, kind, object_id AS object, external_id AS "externalId", what,
           found_at AS "foundAt", repaired_at AS "repairedAt"
      FROM network.netbird_drift ORDER BY id DESC LIMIT ${MOST_SHOWN}`,
};

/** What was found last, newest first. */
export function listDrift(database: Database): Promise<NetworkDrift[]> {
  return database.rows<NetworkDrift>(LATEST_DRIFT);
}
