import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { METRICS, type Sample } from '../../../../kernel/telemetry/metrics.js';
import type { Tables } from '../../entities.js';
import { latestProof } from './ledger-proof.actions.js';

const PROOF_AGE = METRICS.gauge('ledger_proof_age_seconds', 'Time since the last check of the ledger.', []);
const PROOF_HOLDS = METRICS.gauge('ledger_proof_holds', '1: the ledger added up at its last check; 0: it did not.', []);
const HOLDS = METRICS.gauge('ledger_open_holds', 'Open holds of credits.', []);
const HOLD_OVERDUE = METRICS.gauge(
  'ledger_hold_overdue_seconds',
  'How long ago the first hold that is still open expired; a job closes each, and another one looks every five minutes.',
  [],
);

const OPEN_HOLDS = query('open-holds', (db: Tables) =>
  db
    .selectFrom('hold')
    .select([sql<number>`count(*)::integer`.as('count'), sql<Date | null>`min(expires_at)`.as('first')])
    .where('state', '=', sql.lit('open')),
);

/** Reads the gauges of the ledger. Before the first check its gauges have no values. */
export async function readLedgerGauges(database: Database, now: Date): Promise<Sample[]> {
  const [proof, [holds]] = await Promise.all([latestProof(database), database.run(OPEN_HOLDS, {})]);
  const secondsSince = (time: Date) => (now.getTime() - time.getTime()) / 1000;
  const samples: Sample[] = [
    { gauge: HOLDS, labels: [], value: holds?.count ?? 0 },
    { gauge: HOLD_OVERDUE, labels: [], value: holds?.first ? Math.max(0, secondsSince(holds.first)) : 0 },
  ];
  if (!proof) return samples;
  return [
    ...samples,
    { gauge: PROOF_AGE, labels: [], value: secondsSince(proof.provedAt) },
    { gauge: PROOF_HOLDS, labels: [], value: proof.holds ? 1 : 0 },
  ];
}
