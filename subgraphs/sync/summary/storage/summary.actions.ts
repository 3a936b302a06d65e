import type { Database } from '../../../../kernel/database/database.js';
import { restorableSince } from '../../folders/deleted-folder/deleted-folder.rules.js';
import { MAX_REPORTED_BYTES } from '../../folders/folder/folder.js';
import { CATEGORIES, categoryOf } from '../../search/search.rules.js';
import type { KindTotal, StorageSummary } from './summary.js';

const TOTALS = {
  name: 'sync-totals',
  text: `
    SELECT least(coalesce(sum(d.total_bytes) FILTER (WHERE d.deleted_at IS NULL), 0), ${MAX_REPORTED_BYTES})::text
             AS "totalBytes",
           coalesce(sum(d.file_count) FILTER (WHERE d.deleted_at IS NULL), 0)::double precision AS "fileCount",
           least(coalesce(sum(d.stored_bytes) FILTER (WHERE d.deleted_at IS NULL), 0), ${MAX_REPORTED_BYTES})::text AS "chargedBytes",
           least(coalesce(sum(d.stored_bytes) FILTER (WHERE d.deleted_at IS NOT NULL), 0), ${MAX_REPORTED_BYTES})::text
             AS "restorableBytes",
           floor(extract(epoch FROM min(d.created_at) FILTER (WHERE d.deleted_at IS NULL)))::double precision AS "createdAt",
           floor(extract(epoch FROM max(d.updated_at) FILTER (WHERE d.deleted_at IS NULL)))::double precision AS "updatedAt"
      FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND (d.deleted_at IS NULL OR d.deleted_at > $2)
     WHERE o.address = $1`,
};

/** Totals of an owner, from the counters of the folders. */
export async function summarize(database: Database, ownerAddress: string, now: Date): Promise<StorageSummary> {
  const [totals] = await database.rows<Omit<StorageSummary, 'ownerAddress'>>(TOTALS, [
    ownerAddress,
    restorableSince(now),
  ]);
  if (!totals) throw new Error('an aggregate returns a row');
  return { ownerAddress, ...totals };
}

const OF_OWNER = `sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL
  JOIN sync.file_search s ON s.folder_id = d.id AND s.owner_id = o.id`;

const BY_EXTENSION = {
  name: 'sync-by-extension',
  text: `
    SELECT s.extension AS kind, count(*)::double precision AS "fileCount", sum(s.size_bytes)::text AS "totalBytes"
      FROM ${OF_OWNER} WHERE o.address = $1 GROUP BY s.extension`,
};
const BY_SOURCE = {
  name: 'sync-by-source',
  text: `
    SELECT lower(f.source) AS kind, count(*)::double precision AS "fileCount", sum(f.size_bytes)::text AS "totalBytes"
      FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL JOIN sync.file f ON f.folder_id = d.id
     WHERE o.address = $1 GROUP BY 1`,
};

type Row = Omit<KindTotal, 'kind'> & { readonly kind: string | null };

/** Files by category, `other` last; includes empty categories. */
export async function summarizeTypes(database: Database, ownerAddress: string): Promise<KindTotal[]> {
  const rows = await database.rows<Row>(BY_EXTENSION, [ownerAddress]);
  return addUp([...CATEGORIES, 'other'], rows, categoryOf);
}

/** Kinds of clients. Source: client facts, 4.5 */
const SOURCES = ['desktop', 'console', 'mobile', 'other'];

/** Files by the kind of client that uploaded them; unknown kinds count as `other`. */
export async function summarizeSources(database: Database, ownerAddress: string): Promise<KindTotal[]> {
  const rows = await database.rows<Row>(BY_SOURCE, [ownerAddress]);
  return addUp(SOURCES, rows, (source) => (source !== null && SOURCES.includes(source) ? source : 'other'));
}

function addUp(kinds: readonly string[], rows: readonly Row[], kindOf: (kind: string | null) => string): KindTotal[] {
  const totals = new Map(kinds.map((kind) => [kind, { kind, fileCount: 0, bytes: 0n }]));
  for (const row of rows) {
    const total = totals.get(kindOf(row.kind));
    if (!total) continue;
    total.fileCount += row.fileCount;
    total.bytes += BigInt(row.totalBytes);
  }
  return [...totals.values()].map(({ bytes, ...total }) => ({
    ...total,
    totalBytes: `${bytes > MAX_REPORTED_BYTES ? MAX_REPORTED_BYTES : bytes}`,
  }));
}
