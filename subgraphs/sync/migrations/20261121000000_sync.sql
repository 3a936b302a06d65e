-- The folder registry. Creates a table only: instant on any database.

-- Counts stop where a JSON number stops being exact.
CREATE TABLE sync.folder (
  owner_address text NOT NULL,
  folder_hash text NOT NULL CHECK (folder_hash ~ '^[0-9a-f]{16}$'),
  label text NOT NULL,
  device_name text NOT NULL DEFAULT '',
  file_count bigint NOT NULL DEFAULT 0 CHECK (file_count BETWEEN 0 AND 9007199254740991),
  total_bytes bigint NOT NULL DEFAULT 0 CHECK (total_bytes BETWEEN 0 AND 9007199254740991),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT folder_once PRIMARY KEY (owner_address, folder_hash)
);
