import { Client } from 'pg';
import { runConcurrently } from '../run-concurrently.js';

/** Rows per INSERT. */
const BATCH = 250_000;
/** Concurrent inserts. */
const WRITERS = 2;
/** Maximum number of files of the owner whose searches are measured. */
export const OWNED_FILES = 1_000_000;
const OWNED_FOLDERS = 20;
/** Files of each other owner. */
const FILES_EACH = 5_000;

/** Number of files. */
export interface Scale {
  /** Files of all owners. */
  readonly rows: number;
  /** Files of the owner of the searches, at most `rows`. */
  readonly owned: number;
}

/** Gives a million files, or all of them, to one owner. */
export function scaleOf(rows: number): Scale {
  return { rows, owned: Math.min(rows, OWNED_FILES) };
}

/**
 * Fills the empty tables of sync with files of one owner spread among those of others. Drops most indexes first and builds
 * them at the end. Foreign keys are not checked.
 */
export async function fillFiles(databaseUrl: string, ownerAddress: string, { rows, owned }: Scale): Promise<void> {
  const client = await connect(databaseUrl);
  const others = Math.ceil((rows - owned) / FILES_EACH);
  await client.query(OWNERS, [ownerAddress, others]);
  await client.query(FOLDERS, [OWNED_FOLDERS, others]);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
  for (const { name } of indexes) await client.query(`DROP INDEX sync.${client.escapeIdentifier(name)}`);
  const batches = Array.from({ length: Math.ceil(rows / BATCH) }, (_, i) => i * BATCH).values();
  const every = rows / owned;
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => connect(databaseUrl)));
  await runConcurrently(WRITERS, batches, async (first, writer) => {
    const last = Math.min(first + BATCH, rows) - 1;
    await writers[writer]?.query(FILES, [first, last, every, others, rows]);
    await writers[writer]?.query(SEARCHED, [first, last]);
  });
  await client.query('SELECT sync.recount_files()');
  await runConcurrently(WRITERS, indexes.values(), async ({ definition }, writer) =>
    writers[writer]?.query(definition),
  );
  await client.query(BLOBS);
  await client.query(CHUNKS);
  await client.query(COUNTERS);
  await client.query(SEQUENCES);
  await client.query(
    'VACUUM ANALYZE sync.file, sync.file_search, sync.directory, sync.folder_kind, sync.folder, sync.owner, sync.blob, sync.chunk',
  );
  for (const each of [client, ...writers]) await each.end();
}

async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `SET session_replication_role = replica; SET maintenance_work_mem = '1GB'; SET synchronous_commit = off;
     SET max_parallel_maintenance_workers = 1`,
  );
  return client;
}

/** The indexes that no constraint needs. */
const INDEXES = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes
   WHERE schemaname = 'sync' AND tablename IN ('file', 'file_search')
     AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = indexname AND c.connamespace = 'sync'::regnamespace)
   ORDER BY indexdef LIKE '%gin%' DESC`;

const OWNERS = `
  INSERT INTO sync.owner (address, created_at)
  SELECT CASE n WHEN 0 THEN $1 ELSE 'owner ' || n END, now() FROM generate_series(0, $2::int) n ORDER BY n
  ON CONFLICT DO NOTHING`;

/** The folders of the owner first, then one folder of each other owner. */
const FOLDERS = `
  INSERT INTO sync.folder (owner_id, folder_hash, label, created_at, updated_at)
  SELECT o.id, lpad(to_hex(n), 16, '0'), 'folder ' || n, now(), now()
    FROM generate_series(0, $1::int + $2::int - 1) n
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM sync.owner) o ON o.place = greatest(0, n - $1::int + 1)
   ORDER BY n`;

const words = (text: string) => `'{${text.split(' ').join(',')}}'::text[]`;
const TOPICS = words(
  'Report Invoice Budget Meeting Contract Proposal Holiday Birthday Garden Kitchen Project Summary Backup Draft Final Notes Offer Payroll Design Release Übersicht Straßenplan Résumé 会議 отчёт',
);
const PEOPLE = words(
  'anna boris chen dora emil fatima george hana ivan julia kofi lena mario nadia oscar petra quentin rosa sami tina',
);
const PLACES = words('berlin lagos kyoto lima oslo porto quito rome seoul tunis vienna warsaw');

/** The random values come from a hash of the row number, so that every run has the same files. */
const FILES = `
  INSERT INTO sync.file (id, owner_id, folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path,
                         file_name, relative_path, source, uploaded_by, blob_id, created_at, updated_at)
  OVERRIDING SYSTEM VALUE
  SELECT n + 1, d.owner_id, folder, hash, hash, size, 1, hash, substr(hash, 1, 24), name,
         CASE WHEN c % 5 > 0 THEN lower(place) || '/' || (2019 + c % 7) || '/' || person || '/' || name END,
         'desktop', NULL, n + 1, created, created + CASE WHEN d % 3 = 0 THEN d % 5000000 ELSE 0 END
    FROM (SELECT *, 1500000000 + (n * 200000000.0 / $5::bigint)::bigint + a % 100000 AS created,
                 exp(2 + (b % 1000) / 55.0)::bigint + a % 977 AS size,
                 CASE WHEN floor(n / own) > floor((n - 1) / own) THEN 1 + c % ${OWNED_FOLDERS}
                      WHEN $4::int = 0 THEN 1 + c % ${OWNED_FOLDERS}
                      ELSE ${OWNED_FOLDERS} + 1 + d % $4::int END AS folder,
                 CASE WHEN a % 100 < 35 THEN 'IMG_20' || lpad((15 + b % 10)::text, 2, '0') || lpad((1 + c % 12)::text, 2, '0')
                        || lpad((1 + d % 28)::text, 2, '0') || '_' || lpad((a % 1000000)::text, 6, '0') || '.JPG'
                      WHEN a % 100 < 65 THEN topic || ' ' || place || ' ' || (2010 + b % 15) || CASE WHEN c % 4 = 0 THEN ' (' || d % 30 || ')' ELSE '' END
                        || (${words('.pdf .docx .xlsx .txt .pptx .pdf')})[1 + d % 6]
                      WHEN a % 100 < 85 THEN person || '-' || lower(topic) || '_' || to_hex(b) || (${words('.js .ts .py .rs .json .html')})[1 + c % 6]
                      WHEN a % 100 < 95 THEN lower(place) || '_' || to_hex(b) || (${words('.mp4 .mov .mp3 .flac .zip .tar.gz')})[1 + d % 6]
                      WHEN a % 10000 < 9999 THEN to_hex(a) || to_hex(b)
                      ELSE 'Zanzibar ' || person || ' ' || b || '.odt' END AS name
            FROM (SELECT n, hash, a, b, c, d, $3::float8 AS own, (${TOPICS})[1 + b % 25] AS topic,
                         (${PEOPLE})[1 + c % 20] AS person, initcap((${PLACES})[1 + d % 12]) AS place
                    FROM (SELECT n, hash, piece(hash, 0) AS a, piece(hash, 4) AS b, piece(hash, 8) AS c, piece(hash, 12) AS d
                            FROM (SELECT n, sha256(int8send(n)) AS hash FROM generate_series($1::bigint, $2::bigint) n OFFSET 0) h OFFSET 0) p OFFSET 0) w OFFSET 0) r
    JOIN sync.folder d ON d.id = folder`.replace(
  /piece\(hash, (\d+)\)/g,
  (_, at: string) =>
    `(((get_byte(hash, ${at}) & 127) << 24) + (get_byte(hash, ${at} + 1) << 16) + (get_byte(hash, ${at} + 2) << 8) + get_byte(hash, ${at} + 3))`,
);

const SEARCHED = `
  INSERT INTO sync.file_search
    (file_id, owner_id, folder_id, size_bytes, created_at, updated_at, path_hash, file_name, folded_name, extension)
  SELECT f.id, f.owner_id, f.folder_id, f.size_bytes, f.created_at, f.updated_at, f.path_hash, f.file_name,
         lower(f.file_name), substring(lower(f.file_name) FROM '\\.[^./\\\\]{1,64}$')
    FROM sync.file f
   WHERE f.id BETWEEN $1::bigint + 1 AND $2::bigint + 1`;

const BLOBS = `
  INSERT INTO sync.blob (owner_id, id, size_bytes, chunk_size, hash, created_at) OVERRIDING SYSTEM VALUE
  SELECT owner_id, blob_id, size_bytes, 8388608, path_hash, now() FROM sync.file`;

/** One chunk for each file of the owner of the searches. */
const CHUNKS = `
  INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
  SELECT owner_id, blob_id, 0, 'row ' || blob_id, size_bytes, path_hash FROM sync.file WHERE folder_id <= ${OWNED_FOLDERS}`;

const COUNTERS = `
  UPDATE sync.folder d SET file_count = s.files, total_bytes = s.bytes
    FROM (SELECT folder_id, count(*) AS files, sum(size_bytes) AS bytes FROM sync.file GROUP BY 1) s
   WHERE s.folder_id = d.id`;

const SEQUENCES = `
  SELECT setval(pg_get_serial_sequence('sync.file', 'id'), max(id)), setval(pg_get_serial_sequence('sync.blob', 'id'), max(id))
    FROM sync.file`;
