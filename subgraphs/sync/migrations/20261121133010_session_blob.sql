-- A finalized session outlives the file it made. Replaces a foreign key: short lock, instant on an empty table.

ALTER TABLE sync.upload_session DROP CONSTRAINT upload_session_blob_id_fkey;
ALTER TABLE sync.upload_session ADD CONSTRAINT upload_session_blob_id_fkey
  FOREIGN KEY (blob_id) REFERENCES sync.blob ON DELETE SET NULL;
