-- Deposits give exact credits, as cards do. Rewrites both tables under a lock that nobody reads through: about a second for
-- a hundred thousand deposits. What was rounded off before is granted with the next payment to the same address.
ALTER TABLE accounts.deposit ALTER COLUMN credits TYPE numeric(38,18);
ALTER TABLE accounts.deposit_payment ALTER COLUMN credits TYPE numeric(38,18);
