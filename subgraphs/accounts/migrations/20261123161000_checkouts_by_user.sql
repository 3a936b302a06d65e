-- Customer records, checkout pages and subscriptions are found by their user first: (user_id, id) is their primary key, and a page refers
-- to a transaction of its user. What the processor names stays unique over all users: its own ids, and the id of a page, which its
-- events carry. Builds the keys once, under locks that stop payments: not measured on full tables.

DROP INDEX accounts.customer_user;
ALTER TABLE accounts.customer DROP CONSTRAINT customer_pkey, ADD PRIMARY KEY (user_id, id);

ALTER TABLE accounts.checkout
  DROP CONSTRAINT checkout_transaction_id_fkey,
  DROP CONSTRAINT checkout_transaction_id_key,
  DROP CONSTRAINT checkout_pkey,
  ADD PRIMARY KEY (user_id, id),
  ADD CONSTRAINT checkout_id UNIQUE (id),
  ADD CONSTRAINT checkout_transaction UNIQUE (user_id, transaction_id),
  ADD FOREIGN KEY (user_id, transaction_id) REFERENCES accounts.transaction (user_id, id) ON DELETE CASCADE;

DROP INDEX accounts.subscription_user;
ALTER TABLE accounts.subscription DROP CONSTRAINT subscription_pkey, ADD PRIMARY KEY (user_id, id);
-- Administrators name a subscription by its id alone, and list all in this order.
CREATE INDEX subscription_by_id ON accounts.subscription (id);
