-- Lists of transactions that take the same time for any number of them: a counter for each user and an index for each order.
-- Counts the transactions once and builds 19 indexes, under a lock on the table: about a minute for a million transactions.

CREATE TABLE accounts.transaction_count (
  user_id integer PRIMARY KEY REFERENCES accounts.user,
  count bigint NOT NULL CHECK (count >= 0)
);

LOCK TABLE accounts.transaction IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO accounts.transaction_count (user_id, count) SELECT user_id, count(*) FROM accounts.transaction GROUP BY 1;

-- In the order of user ids, so that two statements that add for several users cannot block each other.
CREATE FUNCTION accounts.count_added_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts.transaction_count AS c (user_id, count) SELECT user_id, count(*) FROM added GROUP BY 1 ORDER BY 1
      ON CONFLICT (user_id) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER transaction_added AFTER INSERT ON accounts.transaction REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION accounts.count_added_transactions();

-- No code deletes transactions or gives them to another user; the counter stays right for an operator who does.
CREATE FUNCTION accounts.count_removed_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts.transaction_count c SET count = c.count - gone.count
    FROM (SELECT user_id, count(*) AS count FROM removed GROUP BY 1) gone WHERE gone.user_id = c.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER transaction_removed AFTER DELETE ON accounts.transaction REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION accounts.count_removed_transactions();

CREATE FUNCTION accounts.keep_transaction_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a transaction keeps its user';
END $$;
CREATE TRIGGER transaction_user_kept BEFORE UPDATE OF user_id ON accounts.transaction
  FOR EACH ROW WHEN (NEW.user_id <> OLD.user_id) EXECUTE FUNCTION accounts.keep_transaction_user();

-- Each order ends in the id, upwards, and has null last: both directions of a column need an index. created_at has one already.
CREATE INDEX transaction_by_id ON accounts.transaction (user_id, id);
CREATE INDEX transaction_by_payment_type ON accounts.transaction (user_id, payment_type, id);
CREATE INDEX transaction_by_payment_type_down ON accounts.transaction (user_id, payment_type DESC, id);
CREATE INDEX transaction_by_amount ON accounts.transaction (user_id, amount, id);
CREATE INDEX transaction_by_amount_down ON accounts.transaction (user_id, amount DESC, id);
CREATE INDEX transaction_by_currency ON accounts.transaction (user_id, currency, id);
CREATE INDEX transaction_by_currency_down ON accounts.transaction (user_id, currency DESC, id);
CREATE INDEX transaction_by_credits ON accounts.transaction (user_id, credits, id);
CREATE INDEX transaction_by_credits_down ON accounts.transaction (user_id, credits DESC, id);
CREATE INDEX transaction_by_status ON accounts.transaction (user_id, status, id);
CREATE INDEX transaction_by_status_down ON accounts.transaction (user_id, status DESC, id);
CREATE INDEX transaction_by_completed_at ON accounts.transaction (user_id, completed_at, id);
CREATE INDEX transaction_by_completed_at_down ON accounts.transaction (user_id, completed_at DESC NULLS LAST, id);
CREATE INDEX transaction_by_block ON accounts.transaction (user_id, substrate_block_number, id);
CREATE INDEX transaction_by_block_down ON accounts.transaction (user_id, substrate_block_number DESC NULLS LAST, id);
CREATE INDEX transaction_by_success ON accounts.transaction (user_id, substrate_success, id);
CREATE INDEX transaction_by_success_down ON accounts.transaction (user_id, substrate_success DESC NULLS LAST, id);
CREATE INDEX transaction_by_address ON accounts.transaction (user_id, payment_address, id);
CREATE INDEX transaction_by_address_down ON accounts.transaction (user_id, payment_address DESC NULLS LAST, id);
