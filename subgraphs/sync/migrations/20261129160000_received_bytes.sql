-- Bytes of the chunks of a session, which are charged while it is open. Adds a column with a constant default: instant.

-- A process of an earlier version does not add its chunks: they are not charged.
ALTER TABLE sync.upload_session ADD COLUMN received_bytes bigint NOT NULL DEFAULT 0;
