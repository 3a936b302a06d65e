-- When administrators were notified of a damaged chunk; null: not yet. Adds a column without a default: instant.

ALTER TABLE sync.damaged_chunk ADD COLUMN notified_at timestamptz;
