-- The sandbox seals its secrets from now on. Those that were kept readable are deleted, and made anew at first use.
-- Two rows at most: instant on any database.
DELETE FROM accounts.sandbox_setting WHERE name IN ('secret_key', 'webhook_secrets');
