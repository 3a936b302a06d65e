-- The folders of an owner that can be had back. Creates an index of folders that were deleted: seconds for a million of them.

CREATE INDEX folder_deleted_of_owner ON sync.folder (owner_id, deleted_at) WHERE deleted_at IS NOT NULL;
