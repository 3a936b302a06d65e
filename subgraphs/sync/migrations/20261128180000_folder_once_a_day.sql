-- A folder is charged once for a day, also when it was unregistered and registered again on that day. Days that are closed keep a
-- null: the index begins empty, after one scan of the table.

ALTER TABLE sync.folder_period ADD COLUMN folder_hash text;
CREATE UNIQUE INDEX folder_period_hash_once ON sync.folder_period (owner_id, folder_hash, day) WHERE folder_hash IS NOT NULL;
