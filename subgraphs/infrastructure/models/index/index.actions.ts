import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { isDigest } from '../model/model.rules.js';
import type { ModelMetadata } from './metadata.rules.js';

/** One poll of a tag or digest. Results of later polls take precedence. */
export interface Poll {
  /** Sequence number over all polls. */
  readonly number: string;
  readonly project: string;
  readonly repo: string;
  readonly reference: string;
  /** The indexed digest; null: none. */
  readonly known: string | null;
}

/** The result of a poll. */
interface Seen {
  readonly digest: string;
  readonly at: Date;
  /** Undefined when the version is already indexed or is not a model. */
  readonly facts?: ModelMetadata;
}

const BEGIN = {
  name: 'model-look-begin',
  text: `
  SELECT nextval('infrastructure.model_look')::text AS number,
         CASE WHEN $4 THEN (SELECT v.digest FROM infrastructure.model_version v WHERE v.repository_id = r.id AND v.digest = $3)
              ELSE (SELECT t.digest FROM infrastructure.model_tag t WHERE t.repository_id = r.id AND t.tag = $3) END AS known
    FROM (SELECT 1) AS one LEFT JOIN infrastructure.model_repository r ON r.project = $1 AND r.repo = $2`,
};

/** Starts a poll, before any request to the registry. */
export async function beginPoll(
  database: Database,
  { project, repo }: Pick<Poll, 'project' | 'repo'>,
  reference: string,
): Promise<Poll> {
  const values = [project, repo, reference, isDigest(reference)];
  const [begun] = await database.rows<Pick<Poll, 'number' | 'known'>>(BEGIN, values);
  if (!begun) throw new Error('a look has no number');
  return { ...begun, project, repo, reference };
}

const VERSION_OF = {
  name: 'model-version-known',
  text: `SELECT v.id FROM infrastructure.model_version v JOIN infrastructure.model_repository r ON r.id = v.repository_id
    WHERE r.project = $1 AND r.repo = $2 AND v.digest = $3`,
};

/** Whether a digest is already indexed. The content of a digest never changes. */
export async function hasVersion(database: Database, { project, repo }: Poll, digest: string): Promise<boolean> {
  return (await database.rows(VERSION_OF, [project, repo, digest])).length > 0;
}

/** Records that nothing has changed. */
export async function storeUnchanged(
  database: Database,
  { number, project, repo, reference, known }: Poll,
): Promise<void> {
  await database.change((transaction) =>
    transaction.execute(
      isDigest(reference)
        ? `UPDATE infrastructure.model_version v SET look = greatest(look, $1) FROM infrastructure.model_repository r
            WHERE r.project = $2 AND r.repo = $3 AND v.repository_id = r.id AND v.digest = $4 AND v.digest = $5`
        : `UPDATE infrastructure.model_tag t SET look = greatest(look, $1) FROM infrastructure.model_repository r
            WHERE r.project = $2 AND r.repo = $3 AND t.repository_id = r.id AND t.tag = $4 AND t.digest = $5`,
      [number, project, repo, reference, known],
    ),
  );
}

/** Removes from the index what the registry no longer has, unless a later poll saw it. */
export async function removeReference(database: Database, look: Poll): Promise<void> {
  const { number, project, repo, reference } = look;
  const values = [number, project, repo, reference];
  await database.change(async (transaction) => {
    if (!isDigest(reference)) {
      await transaction.execute(
        `UPDATE infrastructure.model_tag t SET digest = NULL, version_id = NULL, look = $1 FROM infrastructure.model_repository r
          WHERE r.project = $2 AND r.repo = $3 AND t.repository_id = r.id AND t.tag = $4 AND t.look < $1`,
        values,
      );
      return;
    }
    const [repository] = await transaction.execute<{ id: number }>(LOCK_REPOSITORY, [project, repo]);
    if (!repository) return;
    await transaction.execute(
      `WITH gone AS (
         DELETE FROM infrastructure.model_version v USING infrastructure.model_repository r
          WHERE r.project = $2 AND r.repo = $3 AND v.repository_id = r.id AND v.digest = $4 AND v.look < $1 RETURNING v.repository_id)
       UPDATE infrastructure.model_tag t SET digest = NULL FROM gone
        WHERE t.repository_id = gone.repository_id AND t.digest = $4 AND t.look < $1`,
      values,
    );
    await transaction.execute(KEEP_NEWEST, [repository.id]);
  });
}

const LOCK_REPOSITORY = 'SELECT id FROM infrastructure.model_repository WHERE project = $1 AND repo = $2 FOR UPDATE';

/** A separate statement after the lock, so that it sees concurrent commits. */
const KEEP_NEWEST = `
  UPDATE infrastructure.model_repository r SET (newest_version_id, newest_at) =
         (SELECT v.id, v.indexed_at FROM infrastructure.model_version v WHERE v.repository_id = r.id
           ORDER BY v.indexed_at DESC, v.id DESC LIMIT 1)
   WHERE r.id = $1`;

/** Records the version that a tag or digest refers to. An indexed version keeps its metadata and time. */
export async function storeVersion(database: Database, look: Poll, seen: Seen): Promise<void> {
  await database.change(async (transaction) => {
    const repositoryId = await repositoryOf(transaction, look);
    if (seen.facts) {
      await addVersion(transaction, { repositoryId, look, seen, facts: seen.facts });
      await transaction.execute(NAME_VERSION, [repositoryId, seen.digest]);
    } else
      await transaction.execute(
        'UPDATE infrastructure.model_version SET look = greatest(look, $1) WHERE repository_id = $2 AND digest = $3',
        [look.number, repositoryId, seen.digest],
      );
    if (isDigest(look.reference)) return;
    await transaction.execute(
      `INSERT INTO infrastructure.model_tag AS t (repository_id, tag, digest, version_id, look)
       VALUES ($1, $2, $3, (SELECT id FROM infrastructure.model_version WHERE repository_id = $1 AND digest = $3), $4)
       ON CONFLICT (repository_id, tag) DO UPDATE
         SET digest = excluded.digest, version_id = excluded.version_id, look = excluded.look WHERE t.look < excluded.look`,
      [repositoryId, look.reference, seen.digest, look.number],
    );
  });
}

/** Links tags that were recorded before the version could be read. */
const NAME_VERSION = `
  UPDATE infrastructure.model_tag t SET version_id = v.id FROM infrastructure.model_version v
   WHERE v.repository_id = $1 AND v.digest = $2 AND t.repository_id = $1 AND t.digest = $2 AND t.version_id IS NULL`;

async function repositoryOf(transaction: Transaction, { project, repo }: Poll): Promise<number> {
  const [row] = await transaction.execute<{ id: number }>(
    `INSERT INTO infrastructure.model_repository AS r (project, repo) VALUES ($1, $2)
     ON CONFLICT (project, repo) DO UPDATE SET repo = excluded.repo RETURNING r.id`,
    [project, repo],
  );
  if (!row) throw new Error('an insert returned no row');
  return row.id;
}

async function addVersion(
  transaction: Transaction,
  { repositoryId, look, seen, facts }: { repositoryId: number; look: Poll; seen: Seen; facts: ModelMetadata },
): Promise<void> {
  await transaction.execute(
    `WITH added AS (
       INSERT INTO infrastructure.model_version AS v
         (repository_id, digest, packaging, format, architecture, quantization, parameter_count, total_size_bytes, search_text,
          indexed_at, look)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (repository_id, digest) DO UPDATE SET look = greatest(v.look, excluded.look) RETURNING id)
     INSERT INTO infrastructure.model_content (version_id, files) SELECT id, $12 FROM added ON CONFLICT DO NOTHING`,
    [
      repositoryId,
      seen.digest,
      facts.packaging,
      facts.format,
      facts.architecture,
      facts.quantization,
      facts.parameterCount,
      facts.totalSizeBytes,
      facts.searchText,
      seen.at,
      look.number,
      JSON.stringify(facts.files),
    ],
  );
  await transaction.execute(KEEP_NEWEST, [repositoryId]);
}
