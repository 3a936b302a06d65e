-- Directories of a folder that devices keep although no file lies in them. Creates a table only: instant on any database.

CREATE TABLE sync.folder_entry (
  folder_id bigint NOT NULL REFERENCES sync.folder ON DELETE CASCADE,
  -- SHA-256 of the path, as a path is longer than an index can hold.
  path_hash bytea NOT NULL CHECK (octet_length(path_hash) = 32),
  relative_path text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT folder_entry_once PRIMARY KEY (folder_id, path_hash)
);
