import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { restorableSince } from '../../folders/deleted-folder/deleted-folder.rules.js';
import { MAX_REPORTED_BYTES } from '../../folders/folder/folder.js';
import { CATEGORIES, categoryOf } from '../../search/search.rules.js';
import type { KindTotal, StorageSummary } from './summary.js';

const REPORTED = sql.lit(MAX_REPORTED_BYTES);

const TOTALS = query(
  'sync-totals',
  (_: Tables, value: { ownerAddress: string; since: Date }) => sql<Omit<StorageSummary, 'ownerAddress'>>`
  SELECT least(coalesce(sum(d.total_bytes) FILTER (WHERE d.deleted_at IS NULL), 0), ${REPORTED})::text AS "totalBytes",
         coalesce(sum(d.file_count) FILTER (WHERE d.deleted_at IS NULL), 0)::double precision AS "fileCount",
         least(coalesce(sum(d.stored_bytes) FILTER (WHERE d.deleted_at IS NULL), 0), ${REPORTED})::text AS "chargedBytes",
         least(coalesce(sum(d.stored_bytes) FILTER (WHERE d.deleted_at IS NOT NULL), 0), ${REPORTED})::text AS "restorableBytes",
         floor(extract(epoch FROM min(d.created_at) FILTER (WHERE d.deleted_at IS NULL)))::double precision AS "createdAt",
         floor(extract(epoch FROM max(d.updated_at) FILTER (WHERE d.deleted_at IS NULL)))::double precision AS "updatedAt"
    FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND (d.deleted_at IS NULL OR d.deleted_at > ${value.since})
   WHERE o.address = ${value.ownerAddress}`,
);

/** Totals of an owner, from the counters of the folders. */
export async function summarize(database: Database, ownerAddress: string, now: Date): Promise<StorageSummary> {
  const [totals] = await database.run(TOTALS, { ownerAddress, since: restorableSince(now) });
  if (!totals) throw new Error('an aggregate returns a row');
  return { ownerAddress, ...totals };
}

type Row = Omit<KindTotal, 'kind'> & { readonly kind: string | null };

const BY_EXTENSION = query('sync-by-extension', (db: Tables, value: { ownerAddress: string }) =>
  db
    .selectFrom('owner')
    .innerJoin('folder', (join) => join.onRef('folder.ownerId', '=', 'owner.id').on('folder.deletedAt', 'is', null))
    .innerJoin('fileSearch as s', (join) =>
      join.onRef('s.folderId', '=', 'folder.id').onRef('s.ownerId', '=', 'owner.id'),
    )
    .select([
      's.extension as kind',
      sql<number>`count(*)::double precision`.as('fileCount'),
      sql<string>`sum(s.size_bytes)::text`.as('totalBytes'),
    ])
    .where('owner.address', '=', value.ownerAddress)
    .groupBy('s.extension'),
);

const BY_SOURCE = query('sync-by-source', (db: Tables, value: { ownerAddress: string }) =>
  db
    .selectFrom('owner')
    .innerJoin('folder', (join) => join.onRef('folder.ownerId', '=', 'owner.id').on('folder.deletedAt', 'is', null))
    .innerJoin('file', 'file.folderId', 'folder.id')
    .select([
      sql<string | null>`lower(file.source)`.as('kind'),
      sql<number>`count(*)::double precision`.as('fileCount'),
      sql<string>`sum(file.size_bytes)::text`.as('totalBytes'),
    ])
    .where('owner.address', '=', value.ownerAddress)
    .groupBy(sql`1`),
);

/** Files by category, `other` last; includes empty categories. */
export async function summarizeTypes(database: Database, ownerAddress: string): Promise<KindTotal[]> {
  const rows = await database.run(BY_EXTENSION, { ownerAddress });
  return addUp([...CATEGORIES, 'other'], rows, categoryOf);
}

/** Kinds of clients. */
const SOURCES = ['desktop', 'console', 'mobile', 'other'];

/** Files by the kind of client that uploaded them; unknown kinds count as `other`. */
export async function summarizeSources(database: Database, ownerAddress: string): Promise<KindTotal[]> {
  const rows = await database.run(BY_SOURCE, { ownerAddress });
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
