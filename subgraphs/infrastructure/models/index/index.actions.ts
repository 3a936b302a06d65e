import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { isDigest } from '../model/model.rules.js';
import type { ModelMetadata } from './metadata.rules.js';

/** One poll of a tag or digest. A stored result is only replaced by that of a later poll. */
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
  /** Undefined for what is not a model. */
  readonly metadata?: ModelMetadata;
}

const BEGIN = query(
  'model-poll-begin',
  (_: Tables, value: Omit<Poll, 'number' | 'known'> & { isDigest: boolean }) => sql<Pick<Poll, 'number' | 'known'>>`
  SELECT nextval('infrastructure.model_poll')::text AS number,
         CASE WHEN ${value.isDigest}
              THEN (SELECT v.digest FROM infrastructure.model_version v WHERE v.repository_id = r.id AND v.digest = ${value.reference})
              ELSE (SELECT t.digest FROM infrastructure.model_tag t WHERE t.repository_id = r.id AND t.tag = ${value.reference}) END AS known
    FROM (SELECT 1) AS one LEFT JOIN infrastructure.model_repository r ON r.project = ${value.project} AND r.repo = ${value.repo}`,
);

/** Starts a poll, before any request to the registry. */
export async function beginPoll(
  database: Database,
  { project, repo }: Pick<Poll, 'project' | 'repo'>,
  reference: string,
): Promise<Poll> {
  const [begun] = await database.run(BEGIN, { project, repo, reference, isDigest: isDigest(reference) });
  if (!begun) throw new Error('a poll has no number');
  return { ...begun, project, repo, reference };
}

const VERSION_UNCHANGED = query('model-version-unchanged', (db: Tables, value: Poll) =>
  db
    .updateTable('modelVersion as v')
    .from('modelRepository as r')
    .set({ pollNumber: sql<string>`greatest(poll_number, ${value.number})` })
    .where((row) => row.and({ 'r.project': value.project, 'r.repo': value.repo, 'v.digest': value.reference }))
    .whereRef('v.repositoryId', '=', 'r.id'),
);
const TAG_UNCHANGED = query('model-tag-unchanged', (db: Tables, value: Poll) =>
  db
    .updateTable('modelTag as t')
    .from('modelRepository as r')
    .set({ pollNumber: sql<string>`greatest(poll_number, ${value.number})` })
    .where((row) => row.and({ 'r.project': value.project, 'r.repo': value.repo, 't.tag': value.reference }))
    .whereRef('t.repositoryId', '=', 'r.id')
    .where('t.digest', '=', value.known),
);

/** Records that nothing has changed. */
export async function storeUnchanged(database: Database, poll: Poll): Promise<void> {
  const statement = isDigest(poll.reference) ? VERSION_UNCHANGED : TAG_UNCHANGED;
  await database.change((transaction) => transaction.run(statement, poll));
}

const REMOVE_TAG = query('remove-model-tag', (db: Tables, value: Poll) =>
  db
    .updateTable('modelTag as t')
    .from('modelRepository as r')
    .set({ digest: null, versionId: null, pollNumber: value.number })
    .where((row) => row.and({ 'r.project': value.project, 'r.repo': value.repo, 't.tag': value.reference }))
    .whereRef('t.repositoryId', '=', 'r.id')
    .where('t.pollNumber', '<', value.number),
);
/** Keeps the poll numbers of the tags: an earlier poll of a tag may still store the version that it moved to. */
const REMOVE_VERSION = query(
  'remove-model-version',
  (_: Tables, { number, project, repo, reference }: Poll) => sql<object>`
  WITH gone AS (
    DELETE FROM infrastructure.model_version v USING infrastructure.model_repository r
     WHERE r.project = ${project} AND r.repo = ${repo} AND v.repository_id = r.id AND v.digest = ${reference} AND v.poll_number < ${number}
     RETURNING v.repository_id)
  UPDATE infrastructure.model_tag t SET digest = NULL FROM gone
   WHERE t.repository_id = gone.repository_id AND t.digest = ${reference} AND t.poll_number < ${number}`,
);

/** Removes from the index what the registry no longer has, unless a later poll saw it. */
export async function removeReference(database: Database, poll: Poll): Promise<void> {
  await database.change(async (transaction) => {
    if (!isDigest(poll.reference)) {
      await transaction.run(REMOVE_TAG, poll);
      return;
    }
    const [repository] = await transaction.run(LOCK_REPOSITORY, poll);
    if (!repository) return;
    await transaction.run(REMOVE_VERSION, poll);
    await transaction.run(STORE_NEWEST, { repositoryId: repository.id });
  });
}

const LOCK_REPOSITORY = query('lock-model-repository', (db: Tables, { project, repo }: Poll) =>
  db
    .selectFrom('modelRepository')
    .select('id')
    .where((row) => row.and({ project, repo }))
    .forUpdate(),
);

/** A separate statement after the lock, so that it sees concurrent commits. */
const STORE_NEWEST = query(
  'set-newest-model-version',
  (_: Tables, value: { repositoryId: number }) => sql<object>`
  UPDATE infrastructure.model_repository r SET (newest_version_id, newest_at) =
         (SELECT v.id, v.indexed_at FROM infrastructure.model_version v WHERE v.repository_id = r.id
           ORDER BY v.indexed_at DESC, v.id DESC LIMIT 1)
   WHERE r.id = ${value.repositoryId}`,
);

interface VersionKey {
  readonly repositoryId: number;
  readonly digest: string;
}

const VERSION_SEEN = query('model-version-seen', (db: Tables, value: VersionKey & { number: string }) =>
  db
    .updateTable('modelVersion')
    .set({ pollNumber: sql<string>`greatest(poll_number, ${value.number})` })
    .where((row) => row.and({ repositoryId: value.repositoryId, digest: value.digest }))
    .returning('id'),
);
const SET_TAG = query(
  'set-model-tag',
  (_: Tables, { repositoryId, tag, digest, number }: VersionKey & { tag: string; number: string }) => sql<object>`
  INSERT INTO infrastructure.model_tag AS t (repository_id, tag, digest, version_id, poll_number)
  VALUES (${repositoryId}, ${tag}, ${digest},
          (SELECT id FROM infrastructure.model_version WHERE repository_id = ${repositoryId} AND digest = ${digest}), ${number})
  ON CONFLICT (repository_id, tag) DO UPDATE
    SET digest = excluded.digest, version_id = excluded.version_id, poll_number = excluded.poll_number
  WHERE t.poll_number < excluded.poll_number`,
);

/** Records that a tag or digest refers to an indexed version, which keeps its metadata and time. @returns whether it is indexed */
export async function storeIndexedVersion(database: Database, poll: Poll, digest: string): Promise<boolean> {
  return database.change(async (transaction) => {
    const [repository] = await transaction.run(LOCK_REPOSITORY, poll);
    if (!repository) return false;
    const version = { repositoryId: repository.id, digest };
    // A concurrent poll may remove a version.
    const [indexed] = await transaction.run(VERSION_SEEN, { ...version, number: poll.number });
    if (indexed) await setTag(transaction, poll, version);
    return indexed !== undefined;
  });
}

/** Records the version that a tag or digest refers to, or that a tag is no model. */
export async function storeVersion(database: Database, poll: Poll, seen: Seen): Promise<void> {
  await database.change(async (transaction) => {
    const repositoryId = await repositoryOf(transaction, poll);
    const version = { repositoryId, digest: seen.digest };
    if (seen.metadata) {
      await addVersion(transaction, { repositoryId, poll, seen, metadata: seen.metadata });
      await transaction.run(NAME_VERSION, version);
    }
    await setTag(transaction, poll, version);
  });
}

async function setTag(transaction: Transaction, { reference, number }: Poll, version: VersionKey): Promise<void> {
  if (!isDigest(reference)) await transaction.run(SET_TAG, { ...version, tag: reference, number });
}

/** Links tags that were recorded before the version could be read. */
const NAME_VERSION = query('name-model-version', (db: Tables, { repositoryId, digest }: VersionKey) =>
  db
    .updateTable('modelTag as t')
    .from('modelVersion as v')
    .set((row) => ({ versionId: row.ref('v.id') }))
    .where((row) => row.and({ 'v.repositoryId': repositoryId, 'v.digest': digest }))
    .where((row) => row.and({ 't.repositoryId': repositoryId, 't.digest': digest }))
    .where('t.versionId', 'is', null),
);

const ADD_REPOSITORY = query('add-model-repository', (db: Tables, { project, repo }: Poll) =>
  db
    .insertInto('modelRepository')
    .values({ project, repo })
    .onConflict((on) => on.columns(['project', 'repo']).doUpdateSet((row) => ({ repo: row.ref('excluded.repo') })))
    .returning('id'),
);

async function repositoryOf(transaction: Transaction, poll: Poll): Promise<number> {
  const [row] = await transaction.run(ADD_REPOSITORY, poll);
  if (!row) throw new Error('an insert returned no row');
  return row.id;
}

const ADD_VERSION = query(
  'add-model-version',
  (
    _: Tables,
    value: VersionKey & Omit<ModelMetadata, 'files'> & { files: string; indexedAt: Date; poll: string },
  ) => sql<object>`
  WITH added AS (
    INSERT INTO infrastructure.model_version AS v
      (repository_id, digest, packaging, format, architecture, quantization, parameter_count, total_size_bytes, search_text,
       indexed_at, poll_number)
    VALUES (${value.repositoryId}, ${value.digest}, ${value.packaging}, ${value.format}, ${value.architecture}, ${value.quantization},
            ${value.parameterCount}, ${value.totalSizeBytes}, ${value.searchText}, ${value.indexedAt}, ${value.poll})
    ON CONFLICT (repository_id, digest) DO UPDATE SET poll_number = greatest(v.poll_number, excluded.poll_number) RETURNING id)
  INSERT INTO infrastructure.model_content (version_id, files) SELECT id, ${value.files} FROM added ON CONFLICT DO NOTHING`,
);

async function addVersion(
  transaction: Transaction,
  { repositoryId, poll, seen, metadata }: { repositoryId: number; poll: Poll; seen: Seen; metadata: ModelMetadata },
): Promise<void> {
  const { digest, at: indexedAt } = seen;
  const files = JSON.stringify(metadata.files);
  await transaction.run(ADD_VERSION, { ...metadata, files, repositoryId, digest, indexedAt, poll: poll.number });
  await transaction.run(STORE_NEWEST, { repositoryId });
}
