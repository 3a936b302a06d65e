import type { Pool } from 'pg';

/** Query parameters of a model search. */
export interface SearchParameters {
  readonly q?: string;
  readonly format?: string;
  readonly architecture?: string;
  readonly min_params?: string;
  readonly page?: number;
}

const PAGE_SIZE = 25;

/** The simplest query: one condition per parameter, on tables without a search index; it runs once for the count and once for the page. */
const MATCHES = `
  SELECT DISTINCT ON (v.repository_id) v.*, r.project, r.repo, p.is_public
    FROM infrastructure.model_version v JOIN infrastructure.model_repository r ON r.id = v.repository_id
    LEFT JOIN infrastructure.model_project p ON p.project = r.project
   WHERE coalesce(p.is_public, true)
     AND ($1::text IS NULL OR concat_ws(' ', r.project, r.repo, v.format, v.architecture, v.quantization) ILIKE '%' || $1 || '%')
     AND ($2::text IS NULL OR v.format = $2) AND ($3::text IS NULL OR v.architecture = $3)
     AND ($4::bigint IS NULL OR v.parameter_count >= $4)
   ORDER BY v.repository_id, v.indexed_at DESC, v.id DESC`;

const COUNT = `SELECT count(*)::integer AS total FROM (${MATCHES}) found`;
const PAGE = `SELECT * FROM (${MATCHES}) found ORDER BY indexed_at DESC, id DESC LIMIT ${PAGE_SIZE} OFFSET $5`;

/** Counts the public models that match. Also reads the page and discards it. */
export async function searchNaively(pool: Pool, parameters: SearchParameters): Promise<number> {
  const { q = null, format = null, architecture = null, min_params = null, page = 1 } = parameters;
  const values = [q, format, architecture, min_params];
  const counted = await pool.query<{ readonly total: number }>(COUNT, values);
  await pool.query(PAGE, [...values, (page - 1) * PAGE_SIZE]);
  return counted.rows[0]?.total ?? 0;
}
