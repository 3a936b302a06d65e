-- The secrets of a webhook endpoint before its previous one that still sign, as a list of {sealed, until}. The previous version neither reads
-- nor writes it. Adds a column with a constant value: ACCESS EXCLUSIVE on the table for an instant, however many rows it has.

ALTER TABLE accounts.webhook_endpoint ADD COLUMN sealed_earlier jsonb NOT NULL DEFAULT '[]';
