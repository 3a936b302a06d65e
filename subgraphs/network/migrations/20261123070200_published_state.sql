-- What readers of the graph were last told, named so. Only renames: instant on any database.
ALTER TABLE network.authority RENAME COLUMN told_phase TO published_phase;
ALTER TABLE network.peer RENAME COLUMN is_told_stale TO is_published_stale;
