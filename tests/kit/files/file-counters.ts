import type { Client } from 'pg';

/** Counters of sync that differ from the files; empty if all are right. */
export async function wrongCounters(client: Client): Promise<object[]> {
  const { rows } = await client.query<object>(`
    WITH parts AS (
      SELECT folder_id, size_bytes, string_to_array(relative_path, '/') AS parts FROM sync.file WHERE relative_path IS NOT NULL),
    above AS (
      SELECT folder_id, array_to_string(parts[:depth], '/') AS path, size_bytes, depth = cardinality(parts) - 1 AS is_own,
             CASE WHEN depth < cardinality(parts) - 1 THEN parts[depth + 1] END AS child
        FROM parts, generate_series(0, cardinality(parts) - 1) AS depth),
    directory_truth AS (
      SELECT folder_id, sha256(convert_to(path, 'UTF8')) AS path_hash, count(*) AS files, sum(size_bytes) AS bytes,
             count(*) FILTER (WHERE is_own) AS own_files, count(DISTINCT child) AS own_directories
        FROM above GROUP BY folder_id, path),
    kind_truth AS (
      SELECT folder_id, 'source' AS grouped_by, CASE WHEN lower(source) IN ('desktop', 'console', 'mobile') THEN lower(source) ELSE 'other' END AS kind,
             count(*) AS files, sum(size_bytes) AS bytes FROM sync.file GROUP BY 1, 2, 3
       UNION ALL
      SELECT folder_id, 'type', sync.type_of(extension), count(*), sum(size_bytes) FROM sync.file_search GROUP BY 1, 2, 3)
    SELECT 'directory' AS counter, to_json(t.*) AS truth, to_json(d.*) AS counted
      FROM directory_truth t FULL JOIN sync.directory d USING (folder_id, path_hash)
     WHERE (t.files, t.bytes, t.own_files, t.own_directories) IS DISTINCT FROM (d.file_count, d.total_bytes, d.own_files, d.own_directories)
     UNION ALL
    SELECT 'kind', to_json(t.*), to_json(k.*)
      FROM kind_truth t FULL JOIN (SELECT * FROM sync.folder_kind WHERE (file_count, total_bytes) <> (0, 0)) k USING (folder_id, grouped_by, kind)
     WHERE (t.files, t.bytes) IS DISTINCT FROM (k.file_count, k.total_bytes)
     UNION ALL
    SELECT 'letters', to_json(t.*), to_json(l.*)
      FROM (SELECT folder_id, letters, count(*) AS files
              FROM (SELECT DISTINCT file_id, folder_id, substr(folded_name, place, size) COLLATE "C" AS letters
                      FROM sync.file_search, generate_series(1, length(folded_name)) place, generate_series(1, 2) size
                     WHERE place + size <= length(folded_name) + 1) one GROUP BY 1, 2) t
      FULL JOIN sync.folder_letters l USING (folder_id, letters) WHERE t.files IS DISTINCT FROM l.file_count
     UNION ALL
    SELECT 'files of a directory', to_json(d.*), to_json(count(s.*))
      FROM sync.directory d LEFT JOIN sync.file_search s ON s.directory_id = d.id GROUP BY d.owner_id, d.id HAVING count(s.*) <> d.own_files
     UNION ALL
    SELECT 'directory of a file', to_json(f.relative_path), to_json(s.directory_id)
      FROM sync.file f JOIN sync.file_search s ON s.file_id = f.id LEFT JOIN sync.directory d ON d.id = s.directory_id
     WHERE (f.relative_path IS NULL) <> (d.id IS NULL)
        OR d.path_hash <> sha256(convert_to(regexp_replace(f.relative_path, '/?[^/]*$', ''), 'UTF8'))`);
  return rows;
}
