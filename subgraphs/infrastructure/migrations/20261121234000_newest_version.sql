-- The newest version beside the repository, so that lists do not look for it among all. Reads every version once: a second
-- for a million.

ALTER TABLE infrastructure.model_repository
  -- Null where no version of it is there.
  ADD COLUMN newest_version_id bigint REFERENCES infrastructure.model_version ON DELETE SET NULL,
  ADD COLUMN newest_at timestamptz;
UPDATE infrastructure.model_repository r SET newest_version_id = v.id, newest_at = v.indexed_at
  FROM (SELECT DISTINCT ON (repository_id) repository_id, id, indexed_at FROM infrastructure.model_version
         ORDER BY repository_id, indexed_at DESC, id DESC) v
 WHERE v.repository_id = r.id;
CREATE INDEX model_repository_newest ON infrastructure.model_repository (newest_at DESC, newest_version_id DESC)
  WHERE newest_at IS NOT NULL;
CREATE INDEX model_repository_newest_version ON infrastructure.model_repository (newest_version_id);
