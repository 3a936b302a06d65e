-- Which store the objects are in, and how far it was looked through. Creates a table only: instant on any database.

CREATE TABLE sync.store (
  -- There is one.
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Random; the store holds it too, so that neither is taken for another's.
  id text NOT NULL,
  -- `directory` or `s3://bucket/prefix`.
  location text NOT NULL,
  -- Whether the store is known to hold the id.
  is_marked boolean NOT NULL DEFAULT false,
  -- The object up to which this round has looked for objects that no row names; null: a new round begins.
  swept_up_to text
);

-- Whether a session names a blob that is to go is asked for every one.
CREATE INDEX upload_session_blob ON sync.upload_session (blob_id) WHERE blob_id IS NOT NULL;
