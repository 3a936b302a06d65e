import type { Database } from '../../../kernel/database.js';
import { offsetOf, type PageRequest } from '../../../kernel/page.js';
import type { Model, ModelFormats, ModelPage } from './model.js';

/** What models are asked for; null: whatever. */
export interface ModelFilter {
  /** Whose private projects are seen; null: nobody's. */
  readonly userId: number | null;
  readonly format: string | null;
  readonly architecture: string | null;
  readonly quantization: string | null;
  readonly minParams: string | null;
  readonly maxParams: string | null;
  /** For LIKE, one a word. */
  readonly patterns: readonly string[] | null;
  readonly onlyMine: boolean;
}

/** A project without a row is public. */
const TABLES = `infrastructure.model_version v
   JOIN infrastructure.model_repository r ON r.id = v.repository_id
   LEFT JOIN infrastructure.model_project p ON p.project = r.project`;
export const VISIBLE = '(p.is_public IS NOT FALSE OR p.owner_user_id = $1::integer)';

/** Of each repository its newest version that matches; `$9` and `$10` are the page. */
const LIST = `
  WITH found AS MATERIALIZED (
    SELECT DISTINCT ON (v.repository_id) v.id, v.indexed_at
      FROM ${TABLES}
     WHERE ${VISIBLE} AND ($2::text IS NULL OR v.format = $2) AND ($3::text IS NULL OR v.architecture = $3)
       AND ($4::text IS NULL OR v.quantization = $4)
       AND ($5::bigint IS NULL OR v.parameter_count >= $5) AND ($6::bigint IS NULL OR v.parameter_count <= $6)
       AND ($7::text[] IS NULL OR v.search_text LIKE ($7::text[])[1] AND v.search_text LIKE ALL ($7))
       AND (NOT $8::boolean OR p.owner_user_id = $1)
     ORDER BY v.repository_id, v.indexed_at DESC, v.id DESC),
  page AS (SELECT id, indexed_at FROM found ORDER BY indexed_at DESC, id DESC LIMIT $9 OFFSET $10)
  SELECT counted.total, r.project, r.repo, v.format, v.architecture, v.quantization, v.parameter_count::text AS "parameterCount",
         v.total_size_bytes::text AS "totalSizeBytes", p.is_public IS NOT FALSE AS "isPublic",
         coalesce(p.owner_user_id = $1, false) AS "isMine"
    FROM (SELECT count(*)::integer AS total FROM found) AS counted
    LEFT JOIN (page JOIN ${TABLES} ON page.id = v.id) ON true
   ORDER BY page.indexed_at DESC, page.id DESC`;

type ListRow = { readonly total: number } & (Model | { readonly project: null });

/** The models that match and that the viewer may see, newest first, each once. */
export async function listModels(database: Database, filter: ModelFilter, page: PageRequest): Promise<ModelPage> {
  const { userId, format, architecture, quantization, minParams, maxParams, patterns, onlyMine } = filter;
  const values = [userId, format, architecture, quantization, minParams, maxParams, patterns, onlyMine];
  // Planned with its values, so that conditions that are not set cost nothing.
  const rows = await database.snapshot((snapshot) =>
    snapshot.execute<ListRow>(LIST, [...values, page.pageSize, offsetOf(page)]),
  );
  return { total: rows[0]?.total ?? 0, results: rows.filter((row): row is ListRow & Model => row.project !== null) };
}

const FORMATS = {
  name: 'model-formats',
  text: `
  WITH known AS MATERIALIZED (
    SELECT DISTINCT v.format, v.architecture, v.quantization FROM ${TABLES} WHERE ${VISIBLE})
  SELECT ARRAY(SELECT DISTINCT format FROM known WHERE format IS NOT NULL ORDER BY 1) AS formats,
         ARRAY(SELECT DISTINCT architecture FROM known WHERE architecture IS NOT NULL ORDER BY 1) AS architectures,
         ARRAY(SELECT DISTINCT quantization FROM known WHERE quantization IS NOT NULL ORDER BY 1) AS quantizations`,
};

/** What the models that the viewer may see can be filtered by. */
export async function modelFormats(database: Database, userId: number | null): Promise<ModelFormats> {
  const [formats] = await database.rows<ModelFormats>(FORMATS, [userId]);
  return formats ?? { formats: [], architectures: [], quantizations: [] };
}
