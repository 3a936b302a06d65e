import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { MAX_REPORTED_BYTES } from '../../folders/folder/folder.js';
import { CATEGORIES } from '../../search/search.rules.js';
import { restorableSince } from '../../usage/restorable.rules.js';
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

const BY_KIND = query('sync-by-kind', (db: Tables, value: { ownerAddress: string; groupedBy: 'type' | 'source' }) =>
  db
    .selectFrom('owner')
    .innerJoin('folder', (join) => join.onRef('folder.ownerId', '=', 'owner.id').on('folder.deletedAt', 'is', null))
    .innerJoin('folderKind as k', (join) =>
      join.onRef('k.ownerId', '=', 'folder.ownerId').onRef('k.folderId', '=', 'folder.id'),
    )
    .select([
      'k.kind',
      sql<number>`sum(k.file_count)::double precision`.as('fileCount'),
      sql<string>`least(sum(k.total_bytes), ${REPORTED})::text`.as('totalBytes'),
    ])
    .where('owner.address', '=', value.ownerAddress)
    .where('k.groupedBy', '=', value.groupedBy)
    .groupBy('k.kind'),
);

/** Kinds of clients. */
const SOURCES = ['desktop', 'console', 'mobile', 'other'];

const KINDS = { type: [...CATEGORIES, 'other'], source: SOURCES };

/**
 * Files by category, or by the kind of client that uploaded them, from the counters of the folders; `other` last. Includes
 * kinds without files.
 */
export async function summarizeKinds(
  database: Database,
  ownerAddress: string,
  groupedBy: 'type' | 'source',
): Promise<KindTotal[]> {
  const totals = await database.run(BY_KIND, { ownerAddress, groupedBy });
  const byKind = new Map(totals.map((total) => [total.kind, total]));
  return KINDS[groupedBy].map((kind) => byKind.get(kind) ?? { kind, fileCount: 0, totalBytes: '0' });
}
