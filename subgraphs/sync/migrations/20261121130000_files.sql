-- Files, their blobs and upload sessions. Copies the folder registry once: seconds for a million folders.

CREATE TABLE sync.owner (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address text NOT NULL CONSTRAINT owner_once UNIQUE,
  created_at timestamptz NOT NULL
);

ALTER TABLE sync.folder RENAME TO former_folder;
ALTER TABLE sync.former_folder RENAME CONSTRAINT folder_once TO former_folder_once;

-- A folder is there as soon as a file is; it has a label once it is registered. A deleted one waits to be purged and can be
-- restored until then. Counts stop where a JSON number stops being exact.
CREATE TABLE sync.folder (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL REFERENCES sync.owner,
  -- Empty for files that came through an object-store gateway, which knows no folders.
  folder_hash text NOT NULL CHECK (folder_hash ~ '^([0-9a-f]{16})?$'),
  label text,
  device_name text NOT NULL DEFAULT '',
  file_count bigint NOT NULL DEFAULT 0 CHECK (file_count BETWEEN 0 AND 9007199254740991),
  total_bytes numeric(20, 0) NOT NULL DEFAULT 0 CHECK (total_bytes >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX folder_once ON sync.folder (owner_id, folder_hash) WHERE deleted_at IS NULL;
CREATE INDEX folder_deleted ON sync.folder (deleted_at) WHERE deleted_at IS NOT NULL;

INSERT INTO sync.owner (address, created_at)
  SELECT owner_address, min(created_at) FROM sync.former_folder GROUP BY 1;
INSERT INTO sync.folder (owner_id, folder_hash, label, device_name, created_at, updated_at)
  SELECT o.id, f.folder_hash, f.label, f.device_name, f.created_at, f.updated_at
    FROM sync.former_folder f JOIN sync.owner o ON o.address = f.owner_address;
DROP TABLE sync.former_folder;

-- What is stored of one file: ciphertext in chunks, each an object of the store that is never written twice.
CREATE TABLE sync.blob (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  chunk_size bigint NOT NULL CHECK (chunk_size > 0),
  -- BLAKE3 of all of it, once it is known to be right.
  hash bytea CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL
);

CREATE TABLE sync.chunk (
  blob_id bigint NOT NULL REFERENCES sync.blob,
  chunk_index integer NOT NULL CHECK (chunk_index >= 0),
  object_key text NOT NULL CONSTRAINT chunk_object_once UNIQUE,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  -- BLAKE3 of the chunk alone.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  -- BLAKE3 subtree values of the chunk at its place in the file; null where the chunk size is no multiple of 1024.
  subtrees bytea,
  CONSTRAINT chunk_once PRIMARY KEY (blob_id, chunk_index)
);

-- Objects that nothing names any more and when they may go; whoever reads one now has until then.
CREATE TABLE sync.discarded_object (
  object_key text PRIMARY KEY,
  due_at timestamptz NOT NULL
);
CREATE INDEX discarded_object_due ON sync.discarded_object (due_at);

-- Whole seconds: what is sorted by is what is shown.
CREATE TABLE sync.file (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  folder_id bigint NOT NULL REFERENCES sync.folder,
  path_hash bytea NOT NULL CHECK (octet_length(path_hash) = 32),
  salted_hash bytea NOT NULL CHECK (octet_length(salted_hash) = 32),
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  revision_seq bigint NOT NULL CHECK (revision_seq >= 0),
  revision_id bytea NOT NULL CHECK (octet_length(revision_id) = 32),
  encrypted_path bytea NOT NULL,
  file_name text,
  relative_path text,
  source text,
  uploaded_by text,
  blob_id bigint NOT NULL CONSTRAINT file_blob_once UNIQUE REFERENCES sync.blob,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT file_once UNIQUE (folder_id, path_hash)
);

CREATE TABLE sync.upload_session (
  -- Random, 32 hex digits.
  id text PRIMARY KEY,
  owner_id bigint NOT NULL REFERENCES sync.owner,
  blob_id bigint REFERENCES sync.blob,
  manifest jsonb NOT NULL,
  ciphertext_hash text NOT NULL,
  chunk_count integer NOT NULL CHECK (chunk_count > 0),
  chunk_size bigint NOT NULL CHECK (chunk_size > 0),
  ciphertext_size bigint NOT NULL CHECK (ciphertext_size >= 0),
  state text NOT NULL DEFAULT 'receiving' CHECK (state IN ('receiving', 'finalized')),
  -- Moves with every chunk, so that a hash that was computed elsewhere is known to be of these chunks.
  version bigint NOT NULL DEFAULT 0,
  -- What finalize answered, and answers again.
  result jsonb,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((state = 'finalized') = (result IS NOT NULL))
);
CREATE INDEX upload_session_expiry ON sync.upload_session (expires_at);
CREATE INDEX upload_session_live ON sync.upload_session (owner_id) WHERE state = 'receiving';
