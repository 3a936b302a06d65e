-- Disputes and failed refunds name their user, and refer to transactions of the same user only. Fills both tables once and builds a
-- unique index in place of one of transactions, under a lock on them: not measured on a full table.

ALTER TABLE accounts.transaction ADD CONSTRAINT transaction_of_user UNIQUE (user_id, id);
DROP INDEX accounts.transaction_by_id;

ALTER TABLE accounts.dispute ADD COLUMN user_id integer;
UPDATE accounts.dispute d SET user_id = t.user_id FROM accounts.transaction t WHERE t.id = d.transaction_id;
DROP INDEX accounts.dispute_transaction;
ALTER TABLE accounts.dispute
  ALTER COLUMN user_id SET NOT NULL,
  DROP CONSTRAINT dispute_transaction_id_fkey,
  DROP CONSTRAINT dispute_pkey,
  ADD PRIMARY KEY (user_id, id),
  ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction (user_id, id);
CREATE INDEX dispute_transaction ON accounts.dispute (user_id, transaction_id);

ALTER TABLE accounts.failed_refund ADD COLUMN user_id integer;
UPDATE accounts.failed_refund f SET user_id = t.user_id FROM accounts.transaction t WHERE t.id = f.transaction_id;
ALTER TABLE accounts.failed_refund
  ALTER COLUMN user_id SET NOT NULL,
  DROP CONSTRAINT failed_refund_transaction_id_fkey,
  DROP CONSTRAINT failed_refund_pkey,
  ADD PRIMARY KEY (user_id, id),
  ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction (user_id, id);
