-- The hash that finalize made by reading, and of which version of the session. Two columns without a default: instant.

ALTER TABLE sync.upload_session ADD COLUMN hash bytea CHECK (octet_length(hash) = 32), ADD COLUMN hash_version bigint;
