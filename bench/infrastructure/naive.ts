import type { Pool } from 'pg';

/** What models are asked for, as the document calls it. */
export interface Asked {
  readonly q?: string;
  readonly format?: string;
  readonly architecture?: string;
  readonly min_params?: string;
  readonly page?: number;
}

const PAGE_SIZE = 25;

/** What one writes first: one condition for each parameter on the rows as they are, once to count and once for the page. */
const FOUND = `
  SELECT DISTINCT ON (v.repository_id) v.*, r.project, r.repo, p.is_public
    FROM infrastructure.model_version v JOIN infrastructure.model_repository r ON r.id = v.repository_id
    LEFT JOIN infrastructure.model_project p ON p.project = r.project
   WHERE coalesce(p.is_public, true)
     AND ($1::text IS NULL OR concat_ws(' ', r.project, r.repo, v.format, v.architecture, v.quantization) ILIKE '%' || $1 || '%')
     AND ($2::text IS NULL OR v.format = $2) AND ($3::text IS NULL OR v.architecture = $3)
     AND ($4::bigint IS NULL OR v.parameter_count >= $4)
   ORDER BY v.repository_id, v.indexed_at DESC, v.id DESC`;

const COUNT = `SELECT count(*)::integer AS total FROM (${FOUND}) found`;
const PAGE = `SELECT * FROM (${FOUND}) found ORDER BY indexed_at DESC, id DESC LIMIT ${PAGE_SIZE} OFFSET $5`;

/** How many models anyone may see that match, with the page read and given up. */
export async function listNaively(pool: Pool, asked: Asked): Promise<number> {
  const { q = null, format = null, architecture = null, min_params = null, page = 1 } = asked;
  const values = [q, format, architecture, min_params];
  const counted = await pool.query<{ readonly total: number }>(COUNT, values);
  await pool.query(PAGE, [...values, (page - 1) * PAGE_SIZE]);
  return counted.rows[0]?.total ?? 0;
}
