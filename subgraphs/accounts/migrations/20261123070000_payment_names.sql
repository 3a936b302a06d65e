-- Columns named after what they hold. Only renames: instant on any database.
ALTER TABLE accounts.payment RENAME COLUMN taken TO taken_back;
ALTER TABLE accounts.payment RENAME COLUMN reversals TO reversal_count;
ALTER TABLE accounts.payment RENAME COLUMN flag TO flag_reason;
ALTER TABLE accounts.customer RENAME COLUMN is_own TO is_platform_created;
ALTER TABLE accounts.reconciliation RENAME COLUMN seen_until TO reconciled_until;
ALTER TABLE accounts.checkout RENAME COLUMN asked_at TO requested_at;
ALTER TABLE accounts.rate RENAME COLUMN taken TO attempts;
