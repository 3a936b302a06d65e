import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import { visibleTo } from './model.actions.js';
import type { ModelArtifact, ModelArtifactPage, ModelVersion } from './model.js';
import { isDigest, joinName, orderTags, pullCommand, type Packaging } from './model.rules.js';

/** A model and the viewer. */
export interface ModelName {
  /** User whose private projects are visible; null: none. */
  readonly userId: number | null;
  readonly project: string;
  readonly repo: string;
}

const visibleRepository = ({ userId, project, repo }: ModelName) => sql`
   infrastructure.model_repository r LEFT JOIN infrastructure.model_project p ON p.project = r.project
   WHERE r.project = ${project} AND r.repo = ${repo} AND ${visibleTo(userId)}`;

const COLUMNS = sql`v.digest, v.format, v.architecture, v.quantization, v.parameter_count::text AS "parameterCount",
  v.total_size_bytes::text AS "totalSizeBytes", v.indexed_at AS "indexedAt",
  ARRAY(SELECT tag FROM infrastructure.model_tag WHERE version_id = v.id LIMIT 1000) AS tags`;

const VERSIONS = query(
  'model-versions',
  (_: Tables, value: ModelName & { limit: number; offset: number }) => sql<VersionsRow>`
  WITH chosen AS (SELECT r.id FROM ${visibleRepository(value)})
  SELECT counted.total, ${COLUMNS}
    FROM (SELECT count(*)::integer AS total FROM infrastructure.model_version WHERE repository_id IN (SELECT id FROM chosen)) AS counted
    LEFT JOIN (SELECT * FROM infrastructure.model_version WHERE repository_id IN (SELECT id FROM chosen)
                ORDER BY indexed_at DESC, id DESC LIMIT ${value.limit} OFFSET ${value.offset}) v ON true
   ORDER BY v.indexed_at DESC, v.id DESC`,
);

type ArtifactRow = Omit<ModelArtifact, 'allTags' | 'primaryTag'> & { readonly tags: readonly string[] };
type VersionsRow = { readonly total: number } & (ArtifactRow | { readonly digest: null });

/** The versions of a model, newest first. @throws NOT_FOUND, also when it is not visible to the viewer */
export async function listVersions(
  database: Database,
  model: ModelName,
  page: PageRequest,
): Promise<ModelArtifactPage> {
  const rows = await database.run(VERSIONS, { ...model, limit: page.pageSize, offset: offsetOf(page) });
  const total = rows[0]?.total ?? 0;
  if (total === 0) throw notFound('There is no such model.');
  const artifacts = rows.filter((row): row is VersionsRow & ArtifactRow => row.digest !== null).map(withTags);
  return { total, artifacts };
}

const VERSION = query(
  'model-version',
  (_: Tables, value: ModelName & { isDigest: boolean; reference: string }) => sql<VersionRow>`
  SELECT ${COLUMNS}, r.project, r.repo, v.packaging, c.files
    FROM (SELECT r.id, r.project, r.repo FROM ${visibleRepository(value)}) r
    JOIN infrastructure.model_version v ON v.repository_id = r.id
    JOIN infrastructure.model_content c ON c.version_id = v.id
   WHERE CASE WHEN ${value.isDigest} THEN v.digest = ${value.reference}
              ELSE v.id = (SELECT version_id FROM infrastructure.model_tag WHERE repository_id = r.id AND tag = ${value.reference}) END`,
);

type VersionRow = ArtifactRow & Pick<ModelVersion, 'project' | 'repo' | 'files'> & { readonly packaging: Packaging };

/** A version by tag or digest. @throws NOT_FOUND, also when it is not visible to the viewer */
export async function findVersion(
  database: Database,
  model: ModelName,
  { reference, registryUrl }: { readonly reference: string; readonly registryUrl: string },
): Promise<ModelVersion> {
  const [row] = await database.run(VERSION, { ...model, isDigest: isDigest(reference), reference });
  if (!row) throw notFound('There is no such version.');
  const { packaging, ...rest } = row;
  const name = joinName(row.project, row.repo);
  return { ...rest, ...withTags(row), pullCommand: pullCommand(registryUrl, { packaging, name, reference }) };
}

function withTags<Row extends ArtifactRow>({ tags, ...row }: Row): Omit<Row, 'tags'> & ModelArtifact {
  const allTags = orderTags(tags);
  return { ...row, allTags, primaryTag: allTags[0] ?? null };
}
