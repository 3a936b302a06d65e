import type { Database } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { VISIBLE } from './model.actions.js';
import type { ModelArtifact, ModelArtifactPage, ModelVersion } from './model.js';
import { isDigest, joinName, orderTags, pullCommand, type Packaging } from './model.rules.js';

/** A model and the viewer. */
export interface ModelName {
  /** User whose private projects are visible; null: none. */
  readonly userId: number | null;
  readonly project: string;
  readonly repo: string;
}

const VISIBLE_REPOSITORY = `infrastructure.model_repository r LEFT JOIN infrastructure.model_project p ON p.project = r.project
   WHERE r.project = $2 AND r.repo = $3 AND ${VISIBLE}`;

const COLUMNS = `v.digest, v.format, v.architecture, v.quantization, v.parameter_count::text AS "parameterCount",
  v.total_size_bytes::text AS "totalSizeBytes", v.indexed_at AS "indexedAt",
  ARRAY(SELECT tag FROM infrastructure.model_tag WHERE version_id = v.id LIMIT 1000) AS tags`;

const VERSIONS = {
  name: 'model-versions',
  text: `
  WITH chosen AS (SELECT r.id FROM ${VISIBLE_REPOSITORY})
  SELECT counted.total, ${COLUMNS}
    FROM (SELECT count(*)::integer AS total FROM infrastructure.model_version WHERE repository_id IN (SELECT id FROM chosen)) AS counted
    LEFT JOIN (SELECT * FROM infrastructure.model_version WHERE repository_id IN (SELECT id FROM chosen)
                ORDER BY indexed_at DESC, id DESC LIMIT $4 OFFSET $5) v ON true
   ORDER BY v.indexed_at DESC, v.id DESC`,
};

type ArtifactRow = Omit<ModelArtifact, 'allTags' | 'primaryTag'> & { readonly tags: readonly string[] };
type VersionsRow = { readonly total: number } & (ArtifactRow | { readonly digest: null });

/** The versions of a model, newest first. @throws NOT_FOUND, also when it is not visible to the viewer */
export async function listVersions(
  database: Database,
  model: ModelName,
  page: PageRequest,
): Promise<ModelArtifactPage> {
  const values = [model.userId, model.project, model.repo, page.pageSize, offsetOf(page)];
  const rows = await database.rows<VersionsRow>(VERSIONS, values);
  const total = rows[0]?.total ?? 0;
  if (total === 0) throw notFound('There is no such model.');
  const artifacts = rows.filter((row): row is VersionsRow & ArtifactRow => row.digest !== null).map(withTags);
  return { total, artifacts };
}

const VERSION = {
  name: 'model-version',
  text: `
  SELECT ${COLUMNS}, r.project, r.repo, v.packaging, c.files
    FROM (SELECT r.id, r.project, r.repo FROM ${VISIBLE_REPOSITORY}) r
    JOIN infrastructure.model_version v ON v.repository_id = r.id
    JOIN infrastructure.model_content c ON c.version_id = v.id
   WHERE CASE WHEN $4 THEN v.digest = $5
              ELSE v.id = (SELECT version_id FROM infrastructure.model_tag WHERE repository_id = r.id AND tag = $5) END`,
};

type VersionRow = ArtifactRow & Pick<ModelVersion, 'project' | 'repo' | 'files'> & { readonly packaging: Packaging };

/** A version by tag or digest. @throws NOT_FOUND, also when it is not visible to the viewer */
export async function findVersion(
  database: Database,
  model: ModelName,
  { reference, registryUrl }: { readonly reference: string; readonly registryUrl: string },
): Promise<ModelVersion> {
  const values = [model.userId, model.project, model.repo, isDigest(reference), reference];
  const [row] = await database.rows<VersionRow>(VERSION, values);
  if (!row) throw notFound('There is no such version.');
  const { packaging, ...rest } = row;
  const name = joinName(row.project, row.repo);
  return { ...rest, ...withTags(row), pullCommand: pullCommand(registryUrl, { packaging, name, reference }) };
}

function withTags<Row extends ArtifactRow>({ tags, ...row }: Row): Omit<Row, 'tags'> & ModelArtifact {
  const allTags = orderTags(tags);
  return { ...row, allTags, primaryTag: allTags[0] ?? null };
}
