import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import type { Model, ModelFormats, ModelPage } from './model.js';

/** Filters for models; null: no filter. */
export interface ModelFilter {
  /** User whose private projects are visible; null: none. */
  readonly userId: number | null;
  readonly format: string | null;
  readonly architecture: string | null;
  readonly quantization: string | null;
  readonly minParams: string | null;
  readonly maxParams: string | null;
  /** LIKE patterns, one per word. */
  readonly patterns: readonly string[] | null;
  readonly onlyMine: boolean;
}

/** A project without a row has no owner and is public. */
const TABLES = sql`infrastructure.model_version v
   JOIN infrastructure.model_repository r ON r.id = v.repository_id
   LEFT JOIN infrastructure.model_project p ON p.project = r.project`;

/** Whether the viewer sees the project `p`. */
export const visibleTo = (userId: number | null) =>
  sql<boolean>`(p.is_public IS NOT FALSE OR p.owner_user_id = ${userId}::integer)`;

type ListValues = ModelFilter & { readonly limit: number; readonly offset: number };

/** The newest matching version of each repository; visibility is checked per repository later. */
const matching = ({ format, architecture, quantization, minParams, maxParams, patterns }: ModelFilter) => sql`
    SELECT DISTINCT ON (v.repository_id) v.id, v.repository_id, v.indexed_at FROM infrastructure.model_version v
     WHERE (${format}::text IS NULL OR v.format = ${format})
       AND (${architecture}::text IS NULL OR v.architecture = ${architecture})
       AND (${quantization}::text IS NULL OR v.quantization = ${quantization})
       AND (${minParams}::bigint IS NULL OR v.parameter_count >= ${minParams})
       AND (${maxParams}::bigint IS NULL OR v.parameter_count <= ${maxParams})
       AND (${patterns}::text[] IS NULL OR v.search_text LIKE (${patterns}::text[])[1] AND v.search_text LIKE ALL (${patterns}))
     ORDER BY v.repository_id, v.indexed_at DESC, v.id DESC`;

/** Without filters: the newest version of each repository, which is stored. */
const STORED = sql`
    SELECT newest_version_id AS id, id AS repository_id, newest_at AS indexed_at FROM infrastructure.model_repository
     WHERE newest_at IS NOT NULL`;

/** One page of the newest matching version of each repository. */
const listOf = (found: RawBuilder<unknown>, { userId, onlyMine, limit, offset }: ListValues) => sql<ListRow>`(
    SELECT f.id, f.indexed_at FROM (${found}) f JOIN infrastructure.model_repository r ON r.id = f.repository_id
      LEFT JOIN infrastructure.model_project p ON p.project = r.project
     WHERE ${visibleTo(userId)} AND (NOT ${onlyMine}::boolean OR p.owner_user_id = ${userId})),
  page AS (SELECT id, indexed_at FROM found ORDER BY indexed_at DESC, id DESC LIMIT ${limit} OFFSET ${offset})
  SELECT counted.total, r.project, r.repo, v.format, v.architecture, v.quantization, v.parameter_count::text AS "parameterCount",
         v.total_size_bytes::text AS "totalSizeBytes", p.is_public IS NOT FALSE AS "isPublic",
         coalesce(p.owner_user_id = ${userId}, false) AS "isMine"
    FROM (SELECT count(*)::integer AS total FROM found) AS counted
    LEFT JOIN (page JOIN ${TABLES} ON page.id = v.id) ON true
   ORDER BY page.indexed_at DESC, page.id DESC`;

/** Planned with its values, so that unset filters cost nothing. */
const LIST = query(
  'list-models',
  (_: Tables, value: ListValues) => sql<ListRow>`WITH found AS MATERIALIZED ${listOf(matching(value), value)}`,
  { isPrepared: false },
);
const LIST_ALL = query(
  'list-all-models',
  (_: Tables, value: ListValues) => sql<ListRow>`WITH found AS NOT MATERIALIZED ${listOf(STORED, value)}`,
  { isPrepared: false },
);

type ListRow = { readonly total: number } & (Model | { readonly project: null });

/** The matching models that are visible to the viewer, newest first. */
export async function listModels(database: Database, filter: ModelFilter, page: PageRequest): Promise<ModelPage> {
  const { format, architecture, quantization, minParams, maxParams, patterns } = filter;
  const filters = [format, architecture, quantization, minParams, maxParams, patterns];
  const list = filters.every((value) => value === null) ? LIST_ALL : LIST;
  const values = { ...filter, limit: page.pageSize, offset: offsetOf(page) };
  const rows = await database.snapshot((snapshot) => snapshot.run(list, values));
  return { total: rows[0]?.total ?? 0, results: rows.filter((row): row is ListRow & Model => row.project !== null) };
}

/** Skip scan: steps through the distinct values of the column by its index and keeps those with a visible version. */
const valuesOf = (name: 'format' | 'architecture' | 'quantization', userId: number | null) => {
  const column = sql.ref(name);
  return sql`ARRAY(
    WITH RECURSIVE known(value) AS (
      SELECT min(${column}) FROM infrastructure.model_version
       UNION ALL
      SELECT (SELECT min(${column}) FROM infrastructure.model_version WHERE ${column} > known.value) FROM known WHERE value IS NOT NULL)
    SELECT value FROM known
     WHERE value IS NOT NULL AND (SELECT true FROM ${TABLES} WHERE v.${column} = known.value AND ${visibleTo(userId)} LIMIT 1)
     ORDER BY 1)`;
};

const FORMATS = query(
  'model-formats',
  (_: Tables, { userId }: { userId: number | null }) => sql<ModelFormats>`
  SELECT ${valuesOf('format', userId)} AS formats, ${valuesOf('architecture', userId)} AS architectures,
         ${valuesOf('quantization', userId)} AS quantizations`,
);

/** Filter values of the models that are visible to the viewer. */
export async function modelFormats(database: Database, userId: number | null): Promise<ModelFormats> {
  const [formats] = await database.run(FORMATS, { userId });
  return formats ?? { formats: [], architectures: [], quantizations: [] };
}
