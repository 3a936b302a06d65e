-- When a folder was registered, apart from when its row was made: files may come before. Adds a column without a default: instant.

-- Null: not registered, or at created_at, which an earlier version set when a folder was registered.
ALTER TABLE sync.folder ADD COLUMN registered_at timestamptz;
