-- Counters of directories, file types and sources, so that lists and summaries do not count files. Triggers keep them in the
-- transaction that changes a file; writers of a folder already wait for each other. Counts all files once and rewrites the
-- search index, under a lock on both tables: about ten minutes for ten million files.

-- A directory exists while a file is in it or below.
CREATE TABLE sync.directory (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  folder_id bigint NOT NULL REFERENCES sync.folder ON DELETE CASCADE,
  -- SHA-256 of the path, as a path is longer than an index can hold. The root has the empty path and no parent.
  path_hash bytea NOT NULL CHECK (octet_length(path_hash) = 32),
  parent_hash bytea,
  name text NOT NULL,
  -- In it and below. The size is bytes before encryption.
  file_count bigint NOT NULL DEFAULT 0,
  total_bytes numeric NOT NULL DEFAULT 0,
  -- In it.
  own_files bigint NOT NULL DEFAULT 0,
  own_directories bigint NOT NULL DEFAULT 0,
  CONSTRAINT directory_once UNIQUE (folder_id, path_hash)
) WITH (fillfactor = 70);
CREATE INDEX directory_children ON sync.directory (folder_id, parent_hash, (left(lower(name), 600)) COLLATE "C");

CREATE TABLE sync.folder_kind (
  folder_id bigint NOT NULL REFERENCES sync.folder ON DELETE CASCADE,
  -- `type`: by the extension; `source`: by the kind of client.
  grouped_by text NOT NULL CHECK (grouped_by IN ('type', 'source')),
  kind text NOT NULL,
  file_count bigint NOT NULL,
  total_bytes numeric NOT NULL,
  PRIMARY KEY (folder_id, grouped_by, kind)
) WITH (fillfactor = 70);

CREATE FUNCTION sync.type_of(extension text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN extension IN ('.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg', '.bmp', '.ico', '.tiff') THEN 'image'
    WHEN extension IN ('.mp4', '.mov', '.avi', '.mkv', '.webm', '.flv', '.wmv') THEN 'video'
    WHEN extension IN ('.mp3', '.wav', '.ogg', '.flac', '.aac', '.m4a', '.wma') THEN 'audio'
    WHEN extension IN ('.doc', '.docx', '.xls', '.xlsx', '.ppt', '.pptx', '.txt', '.csv', '.rtf') THEN 'document'
    WHEN extension = '.pdf' THEN 'pdf'
    WHEN extension IN ('.zip', '.rar', '.7z', '.tar', '.gz', '.bz2') THEN 'archive'
    WHEN extension IN ('.js', '.ts', '.py', '.rs', '.go', '.java', '.c', '.cpp', '.html', '.css', '.json') THEN 'code'
    ELSE 'other' END $$;

CREATE FUNCTION sync.source_of(source text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE WHEN lower(source) IN ('desktop', 'console', 'mobile') THEN lower(source) ELSE 'other' END $$;

CREATE FUNCTION sync.hash_of_path(path text) RETURNS bytea IMMUTABLE LANGUAGE sql AS $$
  SELECT sha256(convert_to(path, 'UTF8')) $$;

-- The directory of a file: of a/b/c.txt a/b. A path that begins with a slash keeps the last one, because its first directory has
-- an empty name, and the root has the empty path.
CREATE FUNCTION sync.directory_of(path text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT regexp_replace(path, CASE WHEN starts_with(path, '/') THEN '[^/]*$' ELSE '/?[^/]*$' END, '') $$;

-- The directories of a file: of a/b/c.txt the root, a and a/b.
CREATE FUNCTION sync.directories_of(path text)
  RETURNS TABLE (path_hash bytea, parent_hash bytea, name text, is_own boolean) IMMUTABLE LANGUAGE sql AS $$
  SELECT sync.hash_of_path(array_to_string(parts[:depth], '/') || CASE WHEN depth > 0 THEN ending ELSE '' END),
         CASE WHEN depth > 0
              THEN sync.hash_of_path(array_to_string(parts[:depth - 1], '/') || CASE WHEN depth > 1 THEN ending ELSE '' END) END,
         CASE WHEN depth > 0 THEN parts[depth] ELSE '' END, depth = cardinality(parts) - 1
    FROM string_to_array(path, '/') AS parts, generate_series(0, cardinality(parts) - 1) AS depth,
         (SELECT CASE WHEN starts_with(path, '/') THEN '/' ELSE '' END AS ending) AS e $$;

-- Adds files to the counters; the sign is 1 for an added file and -1 for a removed one. Rows without a path are left out.
CREATE FUNCTION sync.add_to_directories(folder_ids bigint[], paths text[], sizes numeric[], signs integer[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync.directory AS d (folder_id, path_hash, parent_hash, name, file_count, total_bytes, own_files)
  SELECT f.folder_id, a.path_hash, a.parent_hash, a.name, sum(f.sign), sum(f.sign * f.size),
         coalesce(sum(f.sign) FILTER (WHERE a.is_own), 0)
    FROM unnest(folder_ids, paths, sizes, signs) AS f(folder_id, path, size, sign), sync.directories_of(f.path) AS a
   WHERE f.path IS NOT NULL GROUP BY 1, 2, 3, 4
  HAVING sum(f.sign) <> 0 OR sum(f.sign * f.size) <> 0 OR sum(f.sign) FILTER (WHERE a.is_own) <> 0
   ORDER BY 1, 2
      ON CONFLICT (folder_id, path_hash) DO UPDATE SET file_count = d.file_count + excluded.file_count,
         total_bytes = d.total_bytes + excluded.total_bytes, own_files = d.own_files + excluded.own_files;
  IF -1 = ANY (signs) THEN
    DELETE FROM sync.directory d
     USING unnest(folder_ids, paths, signs) AS f(folder_id, path, sign), sync.directories_of(f.path) AS a
     WHERE f.sign = -1 AND d.folder_id = f.folder_id AND d.path_hash = a.path_hash AND d.file_count = 0;
  END IF;
END $$;

CREATE FUNCTION sync.add_to_kinds(by_what text, folder_ids bigint[], kinds text[], sizes numeric[], signs integer[])
  RETURNS void LANGUAGE sql AS $$
  INSERT INTO sync.folder_kind AS k (folder_id, grouped_by, kind, file_count, total_bytes)
  SELECT f.folder_id, by_what, f.kind, sum(f.sign), sum(f.sign * f.size)
    FROM unnest(folder_ids, kinds, sizes, signs) AS f(folder_id, kind, size, sign) GROUP BY 1, 3
  HAVING sum(f.sign) <> 0 OR sum(f.sign * f.size) <> 0
   ORDER BY 1, 3
      ON CONFLICT (folder_id, grouped_by, kind) DO UPDATE SET file_count = k.file_count + excluded.file_count,
         total_bytes = k.total_bytes + excluded.total_bytes $$;

-- Each statement that changes rows calls these with the rows before and after it.
CREATE FUNCTION sync.count_files() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(folder_id) AS folders, array_agg(relative_path) AS paths, array_agg(sync.source_of(source)) AS sources,
           array_agg(size_bytes::numeric) AS sizes, array_agg(1) AS signs INTO changed FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(folder_id) AS folders, array_agg(relative_path) AS paths, array_agg(sync.source_of(source)) AS sources,
           array_agg(size_bytes::numeric) AS sizes, array_agg(-1) AS signs INTO changed FROM removed;
  ELSE
    SELECT array_agg(folder_id) AS folders, array_agg(relative_path) AS paths, array_agg(sync.source_of(source)) AS sources,
           array_agg(size_bytes::numeric) AS sizes, array_agg(sign) AS signs INTO changed
      FROM (SELECT *, 1 AS sign FROM added UNION ALL SELECT *, -1 FROM removed) both_states;
  END IF;
  PERFORM sync.add_to_directories(changed.folders, changed.paths, changed.sizes, changed.signs);
  PERFORM sync.add_to_kinds('source', changed.folders, changed.sources, changed.sizes, changed.signs);
  RETURN NULL;
END $$;

CREATE FUNCTION sync.count_types() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types,
           array_agg(size_bytes::numeric) AS sizes, array_agg(1) AS signs INTO changed FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types,
           array_agg(size_bytes::numeric) AS sizes, array_agg(-1) AS signs INTO changed FROM removed;
  ELSE
    SELECT array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types,
           array_agg(size_bytes::numeric) AS sizes, array_agg(sign) AS signs INTO changed
      FROM (SELECT *, 1 AS sign FROM added UNION ALL SELECT *, -1 FROM removed) both_states;
  END IF;
  PERFORM sync.add_to_kinds('type', changed.folders, changed.types, changed.sizes, changed.signs);
  RETURN NULL;
END $$;

-- Directories that appear and disappear change the counter of their parent.
CREATE FUNCTION sync.count_directories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE sync.directory d SET own_directories = own_directories + a.count
      FROM (SELECT folder_id, parent_hash, count(*) FROM added GROUP BY 1, 2) a
     WHERE d.folder_id = a.folder_id AND d.path_hash = a.parent_hash;
  ELSE
    UPDATE sync.directory d SET own_directories = own_directories - r.count
      FROM (SELECT folder_id, parent_hash, count(*) FROM removed GROUP BY 1, 2) r
     WHERE d.folder_id = r.folder_id AND d.path_hash = r.parent_hash;
  END IF;
  RETURN NULL;
END $$;

LOCK TABLE sync.file, sync.file_search IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER directory_added AFTER INSERT ON sync.directory REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_directories();
CREATE TRIGGER directory_removed AFTER DELETE ON sync.directory REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_directories();

ALTER TABLE sync.file_search ADD COLUMN directory_id bigint;
COMMENT ON COLUMN sync.file_search.directory_id IS 'The directory of the file; null if its path is unknown.';

-- Counts all files again, also after files were written without triggers.
CREATE FUNCTION sync.recount_files() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept record;
BEGIN
  DELETE FROM sync.directory;
  INSERT INTO sync.directory (folder_id, path_hash, parent_hash, name, file_count, total_bytes, own_files)
  SELECT f.folder_id, a.path_hash, a.parent_hash, a.name, count(*), sum(f.size_bytes), count(*) FILTER (WHERE a.is_own)
    FROM sync.file f, sync.directories_of(f.relative_path) AS a WHERE f.relative_path IS NOT NULL GROUP BY 1, 2, 3, 4;
  UPDATE sync.directory d SET own_directories = c.count
    FROM (SELECT folder_id, parent_hash, count(*) FROM sync.directory GROUP BY 1, 2) c
   WHERE d.folder_id = c.folder_id AND d.path_hash = c.parent_hash AND d.own_directories <> c.count;
  DELETE FROM sync.folder_kind;
  INSERT INTO sync.folder_kind (folder_id, grouped_by, kind, file_count, total_bytes)
  SELECT folder_id, 'source', sync.source_of(source), count(*), sum(size_bytes) FROM sync.file GROUP BY 1, 3
   UNION ALL
  SELECT folder_id, 'type', sync.type_of(extension), count(*), sum(size_bytes) FROM sync.file_search GROUP BY 1, 3;
  -- Without its indexes, which are built again, the table is rewritten much faster.
  CREATE TEMPORARY TABLE kept_index AS SELECT indexname AS name, indexdef AS definition FROM pg_indexes
   WHERE schemaname = 'sync' AND tablename = 'file_search' AND indexname <> 'file_search_pkey';
  FOR kept IN SELECT name FROM kept_index LOOP EXECUTE format('DROP INDEX sync.%I', kept.name); END LOOP;
  UPDATE sync.file_search s SET directory_id = d.id FROM sync.file f JOIN sync.directory d ON d.folder_id = f.folder_id
     AND d.path_hash = sync.hash_of_path(sync.directory_of(f.relative_path))
   WHERE f.id = s.file_id AND s.directory_id IS DISTINCT FROM d.id;
  FOR kept IN SELECT definition FROM kept_index LOOP EXECUTE kept.definition; END LOOP;
  DROP TABLE kept_index;
END $$;

-- The files of a directory in the order of their names.
CREATE INDEX file_search_directory ON sync.file_search
  (directory_id, (left(regexp_replace(coalesce(folded_name, ''), '^.*/', ''), 600))) WHERE directory_id IS NOT NULL;
DROP INDEX sync.file_path;
SELECT sync.recount_files();

CREATE TRIGGER file_added AFTER INSERT ON sync.file REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_files();
CREATE TRIGGER file_changed AFTER UPDATE ON sync.file REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_files();
CREATE TRIGGER file_removed AFTER DELETE ON sync.file REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_files();
CREATE TRIGGER type_added AFTER INSERT ON sync.file_search REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_types();
CREATE TRIGGER type_changed AFTER UPDATE ON sync.file_search REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_types();
CREATE TRIGGER type_removed AFTER DELETE ON sync.file_search REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sync.count_types();
