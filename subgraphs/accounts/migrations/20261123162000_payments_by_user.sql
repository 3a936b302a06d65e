-- Transactions, payments and deposits are found by their user first, and refer to rows of the same user only. What stops a second grant
-- stays unique over all users: the ids of the processor, the transaction of a payment or deposit, addresses, and payments on a chain.
-- Fills three tables once and builds the keys, under locks that stop payments: not measured on full tables.

ALTER TABLE accounts.payment ADD COLUMN user_id integer;
UPDATE accounts.payment p SET user_id = t.user_id FROM accounts.transaction t WHERE t.id = p.transaction_id;
ALTER TABLE accounts.deposit ADD COLUMN user_id integer;
UPDATE accounts.deposit d SET user_id = t.user_id FROM accounts.transaction t WHERE t.id = d.transaction_id;
ALTER TABLE accounts.deposit_payment ADD COLUMN user_id integer;
UPDATE accounts.deposit_payment p SET user_id = t.user_id FROM accounts.transaction t WHERE t.id = p.transaction_id;

ALTER TABLE accounts.checkout DROP CONSTRAINT checkout_user_id_transaction_id_fkey;
ALTER TABLE accounts.dispute DROP CONSTRAINT dispute_user_id_transaction_id_fkey;
ALTER TABLE accounts.failed_refund DROP CONSTRAINT failed_refund_user_id_transaction_id_fkey;
ALTER TABLE accounts.deposit_payment DROP CONSTRAINT deposit_payment_transaction_id_fkey, DROP CONSTRAINT deposit_payment_pkey;
ALTER TABLE accounts.deposit DROP CONSTRAINT deposit_transaction_id_fkey, DROP CONSTRAINT deposit_pkey;
ALTER TABLE accounts.payment DROP CONSTRAINT payment_transaction_id_fkey, DROP CONSTRAINT payment_pkey;
ALTER TABLE accounts.transaction DROP CONSTRAINT transaction_of_user, DROP CONSTRAINT transaction_pkey, ADD PRIMARY KEY (user_id, id);

ALTER TABLE accounts.payment
  ALTER COLUMN user_id SET NOT NULL,
  ADD PRIMARY KEY (user_id, transaction_id),
  ADD CONSTRAINT payment_transaction UNIQUE (transaction_id),
  ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE accounts.deposit
  ALTER COLUMN user_id SET NOT NULL,
  ADD PRIMARY KEY (user_id, transaction_id),
  ADD CONSTRAINT deposit_transaction UNIQUE (transaction_id),
  ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction;
DROP INDEX accounts.deposit_payment_transaction;
ALTER TABLE accounts.deposit_payment
  ALTER COLUMN user_id SET NOT NULL,
  ADD PRIMARY KEY (user_id, id),
  ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.deposit;
CREATE INDEX deposit_payment_transaction ON accounts.deposit_payment (user_id, transaction_id, id);
ALTER TABLE accounts.checkout ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction ON DELETE CASCADE;
ALTER TABLE accounts.dispute ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction;
ALTER TABLE accounts.failed_refund ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction;
