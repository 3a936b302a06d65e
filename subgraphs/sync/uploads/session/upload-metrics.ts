import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { METRICS, type Sample } from '../../../../kernel/telemetry/metrics.js';
import type { Tables } from '../../entities.js';

/** Bytes of stored chunks. */
export const CHUNK_BYTES = METRICS.counter('upload_chunk_bytes_total', 'Bytes of chunks that were stored.', []);

/** Duration of finalizing. */
export const FINALIZE_SECONDS = METRICS.histogram(
  'upload_finalize_seconds',
  'Time to make a file of the chunks of an upload session, most of it to hash them.',
  ['code'],
  [0.01, 0.1, 1, 10, 60],
);

const SESSIONS = METRICS.gauge('upload_sessions', 'Upload sessions that still receive chunks.', []);
const SESSION_BYTES = METRICS.gauge('upload_session_bytes', 'Bytes that the open upload sessions will have.', []);

const OPEN_SESSIONS = query('open-upload-sessions', (db: Tables) =>
  db
    .selectFrom('uploadSession')
    .select([
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`coalesce(sum(ciphertext_size), 0)::float8`.as('bytes'),
    ])
    .where('state', '=', sql.lit('receiving')),
);

/** Reads the open upload sessions. */
export async function readUploadGauges(database: Database): Promise<Sample[]> {
  const [open] = await database.run(OPEN_SESSIONS, {});
  return [
    { gauge: SESSIONS, labels: [], value: open?.count ?? 0 },
    { gauge: SESSION_BYTES, labels: [], value: open?.bytes ?? 0 },
  ];
}
