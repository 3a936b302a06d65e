-- What a search compares, in one index, so that a search that no other index helps reads the entries of one owner next to
-- each other instead of rows that are strewn over the table. Builds an index: about three minutes for ten million files.

-- Longer names than fit into an entry are few.
CREATE INDEX file_search_filters ON sync.file_search (owner_id, extension, created_at, size_bytes)
  INCLUDE (folder_id, file_id, folded_name) WHERE coalesce(octet_length(folded_name), 0) <= 2000;
CREATE INDEX file_search_long_name ON sync.file_search (owner_id) WHERE coalesce(octet_length(folded_name), 0) > 2000;
DROP INDEX sync.file_search_extension;
-- So that the planner knows how few they are.
CREATE STATISTICS sync.file_search_name_length ON (coalesce(octet_length(folded_name), 0)) FROM sync.file_search;
