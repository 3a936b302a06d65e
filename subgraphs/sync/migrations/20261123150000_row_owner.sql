-- Rows of folders, files and blobs name their owner, in their keys too, so that they can be distributed by it. Rewrites these tables
-- with their indexes, under a lock: about fifteen minutes for ten million files.

LOCK TABLE sync.folder, sync.file, sync.file_search, sync.blob, sync.chunk, sync.upload_session IN ACCESS EXCLUSIVE MODE;

-- The object up to which this round of the storage check has read; null: no round is under way.
ALTER TABLE sync.store DROP COLUMN checked_blob_id, DROP COLUMN checked_chunk_index, ADD COLUMN checked_up_to text;

CREATE FUNCTION sync.owner_of_folder(row_id bigint) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT owner_id FROM sync.folder WHERE id = row_id);
END $$;
CREATE FUNCTION sync.owner_of_blob(row_id bigint) RETURNS bigint STABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN coalesce((SELECT owner_id FROM sync.file WHERE blob_id = row_id),
                  (SELECT owner_id FROM sync.upload_session WHERE blob_id = row_id LIMIT 1));
END $$;

ALTER TABLE sync.file ADD COLUMN owner_id bigint;
ALTER TABLE sync.blob ADD COLUMN owner_id bigint;
ALTER TABLE sync.chunk ADD COLUMN owner_id bigint;
ALTER TABLE sync.directory ADD COLUMN owner_id bigint;
ALTER TABLE sync.folder_entry ADD COLUMN owner_id bigint;
ALTER TABLE sync.folder_kind ADD COLUMN owner_id bigint;
ALTER TABLE sync.folder_letters ADD COLUMN owner_id bigint;
ALTER TABLE sync.folder_period ADD COLUMN owner_id bigint;

ALTER TABLE sync.file DROP CONSTRAINT file_folder_id_fkey, DROP CONSTRAINT file_blob_id_fkey;
ALTER TABLE sync.file_search DROP CONSTRAINT file_search_file_id_fkey, DROP CONSTRAINT file_search_pkey;
ALTER TABLE sync.chunk DROP CONSTRAINT chunk_blob_id_fkey;
ALTER TABLE sync.upload_session DROP CONSTRAINT upload_session_blob_id_fkey;
ALTER TABLE sync.directory DROP CONSTRAINT directory_folder_id_fkey;
ALTER TABLE sync.folder_entry DROP CONSTRAINT folder_entry_folder_id_fkey;
ALTER TABLE sync.folder_kind DROP CONSTRAINT folder_kind_folder_id_fkey;
ALTER TABLE sync.folder_letters DROP CONSTRAINT folder_letters_folder_id_fkey;
ALTER TABLE sync.folder_period DROP CONSTRAINT folder_period_folder_id_fkey;

-- A type that is made by an expression rewrites a table without the triggers and without leaving dead rows.
ALTER TABLE sync.file DROP CONSTRAINT file_pkey, DROP CONSTRAINT file_once,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_folder(folder_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT file_pkey PRIMARY KEY (owner_id, id),
  ADD CONSTRAINT file_once UNIQUE (owner_id, folder_id, path_hash);
-- What neither a file nor a session names; the objects are found by the storage cleanup.
DELETE FROM sync.chunk WHERE sync.owner_of_blob(blob_id) IS NULL;
DELETE FROM sync.blob WHERE sync.owner_of_blob(id) IS NULL;
ALTER TABLE sync.chunk DROP CONSTRAINT chunk_once, DROP CONSTRAINT chunk_object_once,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_blob(blob_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT chunk_once PRIMARY KEY (owner_id, blob_id, chunk_index),
  -- Jobs look for the object alone, so it is first.
  ADD CONSTRAINT chunk_object_once UNIQUE (object_key, owner_id);
ALTER TABLE sync.blob DROP CONSTRAINT blob_pkey,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_blob(id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT blob_pkey PRIMARY KEY (owner_id, id);
ALTER TABLE sync.file DROP CONSTRAINT file_blob_once, ADD CONSTRAINT file_blob_once UNIQUE (owner_id, blob_id);
ALTER TABLE sync.directory DROP CONSTRAINT directory_pkey, DROP CONSTRAINT directory_once,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_folder(folder_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT directory_pkey PRIMARY KEY (owner_id, id),
  ADD CONSTRAINT directory_once UNIQUE (owner_id, folder_id, path_hash);
ALTER TABLE sync.folder_entry DROP CONSTRAINT folder_entry_once,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_folder(folder_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT folder_entry_once PRIMARY KEY (owner_id, folder_id, path_hash);
ALTER TABLE sync.folder_kind DROP CONSTRAINT folder_kind_pkey,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_folder(folder_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT folder_kind_pkey PRIMARY KEY (owner_id, folder_id, grouped_by, kind);
ALTER TABLE sync.folder_letters DROP CONSTRAINT folder_letters_pkey,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_folder(folder_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT folder_letters_pkey PRIMARY KEY (owner_id, folder_id, letters);
ALTER TABLE sync.folder_period DROP CONSTRAINT folder_period_once,
  ALTER COLUMN owner_id TYPE bigint USING sync.owner_of_folder(folder_id), ALTER COLUMN owner_id SET NOT NULL,
  ADD CONSTRAINT folder_period_once PRIMARY KEY (owner_id, folder_id, day);
ALTER TABLE sync.folder DROP CONSTRAINT folder_pkey, ADD CONSTRAINT folder_pkey PRIMARY KEY (owner_id, id);
DROP FUNCTION sync.owner_of_folder, sync.owner_of_blob;

ALTER TABLE sync.file ADD CONSTRAINT file_folder_fkey FOREIGN KEY (owner_id, folder_id) REFERENCES sync.folder,
  ADD CONSTRAINT file_blob_fkey FOREIGN KEY (owner_id, blob_id) REFERENCES sync.blob;
ALTER TABLE sync.file_search ADD CONSTRAINT file_search_pkey PRIMARY KEY (owner_id, file_id),
  ADD CONSTRAINT file_search_file_fkey FOREIGN KEY (owner_id, file_id) REFERENCES sync.file DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE sync.chunk ADD CONSTRAINT chunk_blob_fkey FOREIGN KEY (owner_id, blob_id) REFERENCES sync.blob;
ALTER TABLE sync.upload_session ADD CONSTRAINT upload_session_blob_fkey FOREIGN KEY (owner_id, blob_id)
  REFERENCES sync.blob ON DELETE SET NULL (blob_id);
ALTER TABLE sync.directory ADD CONSTRAINT directory_folder_fkey FOREIGN KEY (owner_id, folder_id) REFERENCES sync.folder
  ON DELETE CASCADE;
ALTER TABLE sync.folder_entry ADD CONSTRAINT folder_entry_folder_fkey FOREIGN KEY (owner_id, folder_id) REFERENCES sync.folder
  ON DELETE CASCADE;
ALTER TABLE sync.folder_kind ADD CONSTRAINT folder_kind_folder_fkey FOREIGN KEY (owner_id, folder_id) REFERENCES sync.folder
  ON DELETE CASCADE;
ALTER TABLE sync.folder_letters ADD CONSTRAINT folder_letters_folder_fkey FOREIGN KEY (owner_id, folder_id)
  REFERENCES sync.folder ON DELETE CASCADE;
ALTER TABLE sync.folder_period ADD CONSTRAINT folder_period_folder_fkey FOREIGN KEY (owner_id, folder_id) REFERENCES sync.folder
  ON DELETE CASCADE;

DROP FUNCTION sync.add_to_directories, sync.add_to_kinds, sync.add_to_letters;

-- Adds files to the counters; the sign is 1 for an added file and -1 for a removed one. Rows without a path are left out.
CREATE FUNCTION sync.add_to_directories(owner_ids bigint[], folder_ids bigint[], paths text[], sizes numeric[], signs integer[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync.directory AS d (owner_id, folder_id, path_hash, parent_hash, name, file_count, total_bytes, own_files)
  SELECT f.owner_id, f.folder_id, a.path_hash, a.parent_hash, a.name, sum(f.sign), sum(f.sign * f.size),
         coalesce(sum(f.sign) FILTER (WHERE a.is_own), 0)
    FROM unnest(owner_ids, folder_ids, paths, sizes, signs) AS f(owner_id, folder_id, path, size, sign),
         sync.directories_of(f.path) AS a
   WHERE f.path IS NOT NULL GROUP BY 1, 2, 3, 4, 5
  HAVING sum(f.sign) <> 0 OR sum(f.sign * f.size) <> 0 OR sum(f.sign) FILTER (WHERE a.is_own) <> 0
   ORDER BY 1, 2, 3
      ON CONFLICT (owner_id, folder_id, path_hash) DO UPDATE SET file_count = d.file_count + excluded.file_count,
         total_bytes = d.total_bytes + excluded.total_bytes, own_files = d.own_files + excluded.own_files;
  IF -1 = ANY (signs) THEN
    DELETE FROM sync.directory d
     USING unnest(owner_ids, folder_ids, paths, signs) AS f(owner_id, folder_id, path, sign), sync.directories_of(f.path) AS a
     WHERE f.sign = -1 AND d.owner_id = f.owner_id AND d.folder_id = f.folder_id AND d.path_hash = a.path_hash
       AND d.file_count = 0;
  END IF;
END $$;

CREATE FUNCTION sync.add_to_kinds(by_what text, owner_ids bigint[], folder_ids bigint[], kinds text[], sizes numeric[],
  signs integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync.folder_kind AS k (owner_id, folder_id, grouped_by, kind, file_count, total_bytes)
  SELECT f.owner_id, f.folder_id, by_what, f.kind, sum(f.sign), sum(f.sign * f.size)
    FROM unnest(owner_ids, folder_ids, kinds, sizes, signs) AS f(owner_id, folder_id, kind, size, sign) GROUP BY 1, 2, 4
  HAVING sum(f.sign) <> 0 OR sum(f.sign * f.size) <> 0
   ORDER BY 1, 2, 4
      ON CONFLICT (owner_id, folder_id, grouped_by, kind) DO UPDATE SET file_count = k.file_count + excluded.file_count,
         total_bytes = k.total_bytes + excluded.total_bytes;
END $$;

CREATE FUNCTION sync.add_to_letters(owner_ids bigint[], folder_ids bigint[], names text[], signs integer[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync.folder_letters AS k (owner_id, folder_id, letters, file_count)
  SELECT f.owner_id, f.folder_id, l, sum(f.sign)
    FROM unnest(owner_ids, folder_ids, names, signs) AS f(owner_id, folder_id, name, sign), sync.letters_of(f.name) AS l
   GROUP BY 1, 2, 3 HAVING sum(f.sign) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (owner_id, folder_id, letters) DO UPDATE SET file_count = k.file_count + excluded.file_count;
  IF -1 = ANY (signs) THEN
    DELETE FROM sync.folder_letters k
     USING (SELECT DISTINCT f.owner_id, f.folder_id, l
              FROM unnest(owner_ids, folder_ids, names, signs) AS f(owner_id, folder_id, name, sign), sync.letters_of(f.name) AS l
             WHERE f.sign = -1) gone
     WHERE k.owner_id = gone.owner_id AND k.folder_id = gone.folder_id AND k.letters = gone.l AND k.file_count = 0;
  END IF;
END $$;
ALTER FUNCTION sync.add_to_directories SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION sync.add_to_kinds SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION sync.add_to_letters SET plan_cache_mode = force_generic_plan;

-- Each statement that changes rows calls these with the rows before and after it.
CREATE OR REPLACE FUNCTION sync.count_files() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(owner_id) AS owners, array_agg(folder_id) AS folders, array_agg(relative_path) AS paths,
           array_agg(sync.source_of(source)) AS sources, array_agg(size_bytes::numeric) AS sizes, array_agg(1) AS signs
      INTO changed FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(owner_id) AS owners, array_agg(folder_id) AS folders, array_agg(relative_path) AS paths,
           array_agg(sync.source_of(source)) AS sources, array_agg(size_bytes::numeric) AS sizes, array_agg(-1) AS signs
      INTO changed FROM removed;
  ELSE
    SELECT array_agg(owner_id) AS owners, array_agg(folder_id) AS folders, array_agg(relative_path) AS paths,
           array_agg(sync.source_of(source)) AS sources, array_agg(size_bytes::numeric) AS sizes, array_agg(sign) AS signs
      INTO changed FROM (SELECT *, 1 AS sign FROM added UNION ALL SELECT *, -1 FROM removed) both_states;
  END IF;
  PERFORM sync.add_to_directories(changed.owners, changed.folders, changed.paths, changed.sizes, changed.signs);
  PERFORM sync.add_to_kinds('source', changed.owners, changed.folders, changed.sources, changed.sizes, changed.signs);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION sync.count_types() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(owner_id) AS owners, array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types,
           array_agg(folded_name) AS names, array_agg(size_bytes::numeric) AS sizes, array_agg(1) AS signs
      INTO changed FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(owner_id) AS owners, array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types,
           array_agg(folded_name) AS names, array_agg(size_bytes::numeric) AS sizes, array_agg(-1) AS signs
      INTO changed FROM removed;
  ELSE
    SELECT array_agg(owner_id) AS owners, array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types,
           array_agg(folded_name) AS names, array_agg(size_bytes::numeric) AS sizes, array_agg(sign) AS signs
      INTO changed FROM (SELECT *, 1 AS sign FROM added UNION ALL SELECT *, -1 FROM removed) both_states;
  END IF;
  IF changed.folders IS NOT NULL THEN
    PERFORM sync.add_to_kinds('type', changed.owners, changed.folders, changed.types, changed.sizes, changed.signs);
    PERFORM sync.add_to_letters(changed.owners, changed.folders, changed.names, changed.signs);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION sync.count_directories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE sync.directory d SET own_directories = own_directories + a.count
      FROM (SELECT owner_id, folder_id, parent_hash, count(*) FROM added GROUP BY 1, 2, 3) a
     WHERE d.owner_id = a.owner_id AND d.folder_id = a.folder_id AND d.path_hash = a.parent_hash;
  ELSE
    UPDATE sync.directory d SET own_directories = own_directories - r.count
      FROM (SELECT owner_id, folder_id, parent_hash, count(*) FROM removed GROUP BY 1, 2, 3) r
     WHERE d.owner_id = r.owner_id AND d.folder_id = r.folder_id AND d.path_hash = r.parent_hash;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION sync.leave_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sync.file_search s USING removed r WHERE s.owner_id = r.owner_id AND s.file_id = r.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION sync.recount_directories_and_kinds() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept record;
BEGIN
  DELETE FROM sync.directory;
  INSERT INTO sync.directory (owner_id, folder_id, path_hash, parent_hash, name, file_count, total_bytes, own_files)
  SELECT f.owner_id, f.folder_id, a.path_hash, a.parent_hash, a.name, count(*), sum(f.size_bytes),
         count(*) FILTER (WHERE a.is_own)
    FROM sync.file f, sync.directories_of(f.relative_path) AS a WHERE f.relative_path IS NOT NULL GROUP BY 1, 2, 3, 4, 5;
  UPDATE sync.directory d SET own_directories = c.count
    FROM (SELECT owner_id, folder_id, parent_hash, count(*) FROM sync.directory GROUP BY 1, 2, 3) c
   WHERE d.owner_id = c.owner_id AND d.folder_id = c.folder_id AND d.path_hash = c.parent_hash
     AND d.own_directories <> c.count;
  DELETE FROM sync.folder_kind;
  INSERT INTO sync.folder_kind (owner_id, folder_id, grouped_by, kind, file_count, total_bytes)
  SELECT owner_id, folder_id, 'source', sync.source_of(source), count(*), sum(size_bytes) FROM sync.file GROUP BY 1, 2, 4
   UNION ALL
  SELECT owner_id, folder_id, 'type', sync.type_of(extension), count(*), sum(size_bytes) FROM sync.file_search GROUP BY 1, 2, 4;
  -- Without its indexes, which are built again, the table is rewritten much faster.
  CREATE TEMPORARY TABLE kept_index AS SELECT indexname AS name, indexdef AS definition FROM pg_indexes
   WHERE schemaname = 'sync' AND tablename = 'file_search' AND indexname <> 'file_search_pkey';
  FOR kept IN SELECT name FROM kept_index LOOP EXECUTE format('DROP INDEX sync.%I', kept.name); END LOOP;
  UPDATE sync.file_search s SET directory_id = d.id FROM sync.file f JOIN sync.directory d ON d.owner_id = f.owner_id
     AND d.folder_id = f.folder_id AND d.path_hash = sync.hash_of_path(sync.directory_of(f.relative_path))
   WHERE f.owner_id = s.owner_id AND f.id = s.file_id AND s.directory_id IS DISTINCT FROM d.id;
  FOR kept IN SELECT definition FROM kept_index LOOP EXECUTE kept.definition; END LOOP;
  DROP TABLE kept_index;
END $$;

CREATE OR REPLACE FUNCTION sync.recount_letters() RETURNS void LANGUAGE sql AS $$
  DELETE FROM sync.folder_letters;
  INSERT INTO sync.folder_letters (owner_id, folder_id, letters, file_count)
  SELECT s.owner_id, s.folder_id, l, count(*) FROM sync.file_search s, sync.letters_of(s.folded_name) AS l GROUP BY 1, 2, 3 $$;
