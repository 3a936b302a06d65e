-- How many files have one or two characters in their names, as a trigram index finds three and more. A trigger keeps it in the
-- transaction that changes a file. Counts all names once, under a lock: about twenty minutes for ten million files.

CREATE TABLE sync.folder_letters (
  folder_id bigint NOT NULL REFERENCES sync.folder ON DELETE CASCADE,
  -- One or two characters of a folded name, in a row.
  letters text COLLATE "C" NOT NULL,
  file_count bigint NOT NULL,
  PRIMARY KEY (folder_id, letters)
) WITH (fillfactor = 70);

CREATE FUNCTION sync.letters_of(name text) RETURNS SETOF text IMMUTABLE LANGUAGE sql AS $$
  SELECT DISTINCT substr(name, place, size) COLLATE "C"
    FROM generate_series(1, length(name)) AS place, generate_series(1, 2) AS size WHERE place + size - 1 <= length(name) $$;

CREATE FUNCTION sync.add_to_letters(folder_ids bigint[], names text[], signs integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync.folder_letters AS k (folder_id, letters, file_count)
  SELECT f.folder_id, l, sum(f.sign) FROM unnest(folder_ids, names, signs) AS f(folder_id, name, sign), sync.letters_of(f.name) AS l
   GROUP BY 1, 2 HAVING sum(f.sign) <> 0 ORDER BY 1, 2
      ON CONFLICT (folder_id, letters) DO UPDATE SET file_count = k.file_count + excluded.file_count;
  IF -1 = ANY (signs) THEN
    DELETE FROM sync.folder_letters k
     USING (SELECT DISTINCT f.folder_id, l FROM unnest(folder_ids, names, signs) AS f(folder_id, name, sign), sync.letters_of(f.name) AS l
             WHERE f.sign = -1) gone
     WHERE k.folder_id = gone.folder_id AND k.letters = gone.l AND k.file_count = 0;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION sync.count_types() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types, array_agg(folded_name) AS names,
           array_agg(size_bytes::numeric) AS sizes, array_agg(1) AS signs INTO changed FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types, array_agg(folded_name) AS names,
           array_agg(size_bytes::numeric) AS sizes, array_agg(-1) AS signs INTO changed FROM removed;
  ELSE
    SELECT array_agg(folder_id) AS folders, array_agg(sync.type_of(extension)) AS types, array_agg(folded_name) AS names,
           array_agg(size_bytes::numeric) AS sizes, array_agg(sign) AS signs INTO changed
      FROM (SELECT *, 1 AS sign FROM added UNION ALL SELECT *, -1 FROM removed) both_states;
  END IF;
  IF changed.folders IS NOT NULL THEN
    PERFORM sync.add_to_kinds('type', changed.folders, changed.types, changed.sizes, changed.signs);
    PERFORM sync.add_to_letters(changed.folders, changed.names, changed.signs);
  END IF;
  RETURN NULL;
END $$;

-- Deleted files leave the search index in one statement, which changes each counter once. A cascade has a statement for each file.
LOCK TABLE sync.file, sync.file_search IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE sync.file_search DROP CONSTRAINT file_search_file_id_fkey;
ALTER TABLE sync.file_search ADD CONSTRAINT file_search_file_id_fkey FOREIGN KEY (file_id) REFERENCES sync.file
  DEFERRABLE INITIALLY DEFERRED;
CREATE FUNCTION sync.leave_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sync.file_search s USING removed r WHERE s.file_id = r.id;
  RETURN NULL;
END $$;
CREATE TRIGGER file_unindexed AFTER DELETE ON sync.file REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION sync.leave_search();

-- PostgreSQL plans SQL functions that cannot be inlined, and statements whose arrays have a known length, at each call.
CREATE OR REPLACE FUNCTION sync.hash_of_path(path text) RETURNS bytea IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
  RETURN sha256(convert_to(path, 'UTF8'));
END $$;
CREATE OR REPLACE FUNCTION sync.add_to_kinds(by_what text, folder_ids bigint[], kinds text[], sizes numeric[], signs integer[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync.folder_kind AS k (folder_id, grouped_by, kind, file_count, total_bytes)
  SELECT f.folder_id, by_what, f.kind, sum(f.sign), sum(f.sign * f.size)
    FROM unnest(folder_ids, kinds, sizes, signs) AS f(folder_id, kind, size, sign) GROUP BY 1, 3
  HAVING sum(f.sign) <> 0 OR sum(f.sign * f.size) <> 0
   ORDER BY 1, 3
      ON CONFLICT (folder_id, grouped_by, kind) DO UPDATE SET file_count = k.file_count + excluded.file_count,
         total_bytes = k.total_bytes + excluded.total_bytes;
END $$;
ALTER FUNCTION sync.add_to_directories SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION sync.add_to_kinds SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION sync.add_to_letters SET plan_cache_mode = force_generic_plan;

ALTER FUNCTION sync.recount_files() RENAME TO recount_directories_and_kinds;
CREATE FUNCTION sync.recount_letters() RETURNS void LANGUAGE sql AS $$
  DELETE FROM sync.folder_letters;
  INSERT INTO sync.folder_letters (folder_id, letters, file_count)
  SELECT s.folder_id, l, count(*) FROM sync.file_search s, sync.letters_of(s.folded_name) AS l GROUP BY 1, 2 $$;
-- Counts all files again, also after files were written without triggers.
CREATE FUNCTION sync.recount_files() RETURNS void LANGUAGE sql AS $$
  SELECT sync.recount_directories_and_kinds();
  SELECT sync.recount_letters() $$;
SELECT sync.recount_letters();
