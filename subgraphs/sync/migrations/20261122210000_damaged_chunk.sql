-- Chunks that are not what was stored, and how far the store was read again. Adds a table and columns without a default: instant.

CREATE TABLE sync.damaged_chunk (
  -- Of sync.chunk; one that is named there no more is forgotten by the next check.
  object_key text PRIMARY KEY,
  damage text NOT NULL CHECK (damage IN ('ALTERED', 'MISSING')),
  found_at timestamptz NOT NULL,
  -- When it was last seen to be so.
  seen_at timestamptz NOT NULL
);
CREATE INDEX damaged_chunk_seen ON sync.damaged_chunk (seen_at);

-- The chunk up to which this round has read; null: no round is under way.
ALTER TABLE sync.store ADD COLUMN checked_blob_id bigint, ADD COLUMN checked_chunk_index integer;
-- When the last round began, and when the last one that is over ended.
ALTER TABLE sync.store ADD COLUMN check_began_at timestamptz, ADD COLUMN check_ended_at timestamptz;
