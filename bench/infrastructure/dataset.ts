import { Client } from 'pg';

const PROJECT_COUNT = 200;
const VERSIONS_PER_REPOSITORY = 5;

/**
 * Fills the model index: five versions per repository, one tag per version, every tenth project private. Every run creates the same
 * rows. Triggers are off. @param repositories at least 777, of which one has a rare name. Returns the number of versions.
 */
export async function fillModels(databaseUrl: string, repositories: number): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(PROJECTS);
    await client.query(REPOSITORIES, [repositories]);
    for (const text of [VERSIONS, NEWEST, CONTENTS, TAGS]) await client.query(text);
    await client.query(`ANALYZE ${TABLES}`);
  } finally {
    await client.end();
  }
  return repositories * VERSIONS_PER_REPOSITORY;
}

/** SQL for one of these words, chosen by a hash: pseudo-random, but the same in every run. */
const wordOf = (words: string, seed: string) =>
  `('{${words}}'::text[])[1 + abs(hashtext(${seed})) % cardinality('{${words}}'::text[])]`;

const FAMILIES = 'llama,qwen,mistral,gemma,phi,falcon,bert,whisper,clip,stable';
const KINDS = 'chat,instruct,base,code,vision,embed,math,long';
const FORMATS = 'gguf,safetensors,onnx,pytorch';
const WIDTHS = 'Q4_K_M,Q8_0,F16,BF16,INT8';

const PROJECTS = `
  INSERT INTO infrastructure.model_project (project, owner_user_id, is_public)
  SELECT 'team-' || n, 1000000 + n, n % 10 <> 0 FROM generate_series(1, ${PROJECT_COUNT}) n`;

/** Exactly one repository is called `zanzibar`: team-178/zanzibar. */
const REPOSITORIES = `
  INSERT INTO infrastructure.model_repository (project, repo)
  SELECT 'team-' || 1 + n % ${PROJECT_COUNT},
         CASE n WHEN 777 THEN 'zanzibar' ELSE ${wordOf(FAMILIES, `'f' || n`)} || '-' || ${wordOf(KINDS, `'k' || n`)} || '-' || n END
    FROM generate_series(1, $1::int) n`;

const VERSIONS = `
  INSERT INTO infrastructure.model_version
         (repository_id, digest, packaging, format, architecture, quantization, parameter_count, total_size_bytes, search_text, indexed_at, poll_number)
  SELECT r.id, 'sha256:' || encode(sha256((r.id || ' ' || n)::bytea), 'hex'), 'modelpack', format, family, width,
         (1 + abs(hashtext('p' || r.id)) % 70) * 1000000000::bigint, 1 + abs(hashtext('s' || r.id || n)) * 10::bigint,
         lower(concat_ws(E'\\n', r.project || '/' || r.repo, format, family, width)), now() - make_interval(secs => r.id * 10 + n), 0
    FROM (SELECT id, project, repo, split_part(repo, '-', 1) AS family FROM infrastructure.model_repository) r,
         generate_series(1, ${VERSIONS_PER_REPOSITORY}) n,
         LATERAL (SELECT ${wordOf(FORMATS, `'m' || r.id`)} AS format, ${wordOf(WIDTHS, `'w' || r.id || n`)} AS width) facts`;

const NEWEST = `
  UPDATE infrastructure.model_repository r SET newest_version_id = v.id, newest_at = v.indexed_at
    FROM (SELECT DISTINCT ON (repository_id) repository_id, id, indexed_at FROM infrastructure.model_version
           ORDER BY repository_id, indexed_at DESC, id DESC) v
   WHERE v.repository_id = r.id`;

const CONTENTS = `
  INSERT INTO infrastructure.model_content (version_id, files)
  SELECT id, jsonb_build_array(jsonb_build_object('filename', 'model.' || format, 'digest', digest, 'sizeBytes', total_size_bytes, 'format', format))
    FROM infrastructure.model_version`;

const TAGS = `
  INSERT INTO infrastructure.model_tag (repository_id, tag, digest, version_id, poll_number)
  SELECT repository_id, 'v' || row_number() OVER (PARTITION BY repository_id ORDER BY id), digest, id, 0 FROM infrastructure.model_version`;

const TABLES =
  'infrastructure.model_project, infrastructure.model_repository, infrastructure.model_version, infrastructure.model_content, infrastructure.model_tag';
