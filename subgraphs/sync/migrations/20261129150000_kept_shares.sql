-- Shares of a charge outlive their folder; they are deleted after 62 days. Drops a constraint: instant.

ALTER TABLE sync.folder_period DROP CONSTRAINT folder_period_folder_fkey;
