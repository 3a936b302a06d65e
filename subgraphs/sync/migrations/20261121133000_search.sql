-- What files are searched by, narrow beside sync.file. Creates tables and indexes of what is empty so far: instant.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;

CREATE TABLE sync.file_search (
  file_id bigint PRIMARY KEY REFERENCES sync.file ON DELETE CASCADE,
  owner_id bigint NOT NULL,
  folder_id bigint NOT NULL,
  size_bytes bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  path_hash bytea NOT NULL,
  -- The beginning of the name, as much as an index can hold; empty where there is none.
  file_name text COLLATE "C" NOT NULL,
  -- file_name, or relative_path where there is none, with case folded; null where there is neither.
  folded_name text COLLATE "C",
  -- From its last dot on; null where it has none.
  extension text COLLATE "C"
);

-- Every order that results can have, ending in what makes it total.
CREATE INDEX file_search_created ON sync.file_search (owner_id, created_at, path_hash, file_id);
CREATE INDEX file_search_updated ON sync.file_search (owner_id, updated_at, path_hash, file_id);
CREATE INDEX file_search_size ON sync.file_search (owner_id, size_bytes, path_hash, file_id);
CREATE INDEX file_search_name ON sync.file_search (owner_id, file_name, path_hash, file_id);
CREATE INDEX file_search_extension ON sync.file_search (owner_id, extension, created_at, size_bytes);
CREATE INDEX file_search_text ON sync.file_search USING gin (owner_id, folded_name public.gin_trgm_ops);

-- What lies in a directory: the beginning of the path, as much as an index can hold.
CREATE INDEX file_path ON sync.file (folder_id, (left(relative_path, 600)) COLLATE "C") WHERE relative_path IS NOT NULL;
