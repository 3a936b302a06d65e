-- When the processor was last asked for the state of a payment. Adds an empty column: instant on any database.

ALTER TABLE accounts.payment ADD COLUMN queried_at timestamptz;
