import type { Database } from '../../../../kernel/database/database.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
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
const TABLES = `infrastructure.model_version v
   JOIN infrastructure.model_repository r ON r.id = v.repository_id
   LEFT JOIN infrastructure.model_project p ON p.project = r.project`;
export const VISIBLE = '(p.is_public IS NOT FALSE OR p.owner_user_id = $1::integer)';

/** The newest matching version of each repository; visibility is checked per repository later. */
const MATCHING = `
    SELECT DISTINCT ON (v.repository_id) v.id, v.repository_id, v.indexed_at FROM infrastructure.model_version v
     WHERE ($2::text IS NULL OR v.format = $2) AND ($3::text IS NULL OR v.architecture = $3)
       AND ($4::text IS NULL OR v.quantization = $4)
       AND ($5::bigint IS NULL OR v.parameter_count >= $5) AND ($6::bigint IS NULL OR v.parameter_count <= $6)
       AND ($7::text[] IS NULL OR v.search_text LIKE ($7::text[])[1] AND v.search_text LIKE ALL ($7))
     ORDER BY v.repository_id, v.indexed_at DESC, v.id DESC`;

/** Without filters: the newest version of each repository, which is stored. */
const ALL = `
    SELECT newest_version_id AS id, id AS repository_id, newest_at AS indexed_at FROM infrastructure.model_repository
     WHERE newest_at IS NOT NULL AND coalesce($2, $3, $4, ($5::bigint)::text, ($6::bigint)::text, ($7::text[])[1]) IS NULL`;

/** One page of the newest matching version of each repository; `$9` and `$10` are limit and offset. */
const listOf = (FOUND: string, KEPT: 'MATERIALIZED' | 'NOT MATERIALIZED') => `
  WITH found AS ${KEPT} (
    SELECT f.id, f.indexed_at FROM (${FOUND}) f JOIN infrastructure.model_repository r ON r.id = f.repository_id
      LEFT JOIN infrastructure.model_project p ON p.project = r.project
     WHERE ${VISIBLE} AND (NOT $8::boolean OR p.owner_user_id = $1)),
  page AS (SELECT id, indexed_at FROM found ORDER BY indexed_at DESC, id DESC LIMIT $9 OFFSET $10)
  SELECT counted.total, r.project, r.repo, v.format, v.architecture, v.quantization, v.parameter_count::text AS "parameterCount",
         v.total_size_bytes::text AS "totalSizeBytes", p.is_public IS NOT FALSE AS "isPublic",
         coalesce(p.owner_user_id = $1, false) AS "isMine"
    FROM (SELECT count(*)::integer AS total FROM found) AS counted
    LEFT JOIN (page JOIN ${TABLES} ON page.id = v.id) ON true
   ORDER BY page.indexed_at DESC, page.id DESC`;

const [LIST, LIST_ALL] = [listOf(MATCHING, 'MATERIALIZED'), listOf(ALL, 'NOT MATERIALIZED')];

type ListRow = { readonly total: number } & (Model | { readonly project: null });

/** The matching models that are visible to the viewer, newest first. */
export async function listModels(database: Database, filter: ModelFilter, page: PageRequest): Promise<ModelPage> {
  const { userId, format, architecture, quantization, minParams, maxParams, patterns, onlyMine } = filter;
  const filters = [format, architecture, quantization, minParams, maxParams, patterns];
  const text = filters.every((value) => value === null) ? LIST_ALL : LIST;
  // Not prepared: planned with its values, so that unset filters cost nothing.
  const rows = await database.snapshot((snapshot) =>
    snapshot.execute<ListRow>(text, [userId, ...filters, onlyMine, page.pageSize, offsetOf(page)]),
  );
  return { total: rows[0]?.total ?? 0, results: rows.filter((row): row is ListRow & Model => row.project !== null) };
}

/** Skip scan: steps through the distinct values of the column by its index and keeps those with a visible version. */
const valuesOf = (COLUMN: 'format' | 'architecture' | 'quantization') => `
  ARRAY(
    WITH RECURSIVE known(value) AS (
      SELECT min(${COLUMN}) FROM infrastructure.model_version
       UNION ALL
      SELECT (SELECT min(${COLUMN}) FROM infrastructure.model_version WHERE ${COLUMN} > known.value) FROM known WHERE value IS NOT NULL)
    SELECT value FROM known
     WHERE value IS NOT NULL AND (SELECT true FROM ${TABLES} WHERE v.${COLUMN} = known.value AND ${VISIBLE} LIMIT 1)
     ORDER BY 1)`;

const [ALL_FORMATS, ALL_ARCHITECTURES, ALL_QUANTIZATIONS] = [
  valuesOf('format'),
  valuesOf('architecture'),
  valuesOf('quantization'),
];
const FORMATS = {
  name: 'model-formats',
  text: `SELECT ${ALL_FORMATS} AS formats, ${ALL_ARCHITECTURES} AS architectures, ${ALL_QUANTIZATIONS} AS quantizations`,
};

/** Filter values of the models that are visible to the viewer. */
export async function modelFormats(database: Database, userId: number | null): Promise<ModelFormats> {
  const [formats] = await database.rows<ModelFormats>(FORMATS, [userId]);
  return formats ?? { formats: [], architectures: [], quantizations: [] };
}
