-- Debts, what is spent, and the running figures of each entry. On a full table it numbers every entry once, under a lock
-- on the ledger: about a minute for ten million entries.

ALTER TABLE accounts.ledger_account
  ADD COLUMN debtor_id integer UNIQUE REFERENCES accounts.user,
  ADD COLUMN held numeric(38,18) NOT NULL DEFAULT 0,
  ADD COLUMN debt numeric(38,18) NOT NULL DEFAULT 0,
  ADD COLUMN entry_count bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT ledger_account_owner,
  ADD CONSTRAINT ledger_account_owner CHECK (num_nonnulls(user_id, debtor_id, name) = 1),
  ADD CONSTRAINT ledger_account_only_users_hold CHECK (user_id IS NOT NULL OR (held = 0 AND debt = 0 AND entry_count = 0)),
  ADD CONSTRAINT ledger_account_owes CHECK (debt >= 0),
  ADD CONSTRAINT ledger_account_spares_holds CHECK (held BETWEEN 0 AND balance);
COMMENT ON COLUMN accounts.ledger_account.user_id IS 'Whose credits these are; balance, held, debt and entry_count are kept here.';
COMMENT ON COLUMN accounts.ledger_account.debtor_id IS 'Whose debt is booked here; the figure is in the row of the credits.';

INSERT INTO accounts.ledger_account (name, updated_at) VALUES ('revenue', now());
INSERT INTO accounts.ledger_account (debtor_id, updated_at)
  SELECT user_id, updated_at FROM accounts.ledger_account WHERE user_id IS NOT NULL ORDER BY user_id;

CREATE FUNCTION accounts.open_debt_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts.ledger_account (debtor_id, updated_at) VALUES (NEW.user_id, NEW.updated_at);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_account_may_owe AFTER INSERT ON accounts.ledger_account
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION accounts.open_debt_account();

ALTER TABLE accounts.transfer ADD COLUMN link text;
COMMENT ON COLUMN accounts.transfer.link IS 'What it belongs to, for the statement; null: what the reference names.';

ALTER TABLE accounts.entry
  ADD COLUMN user_id integer REFERENCES accounts.user,
  ADD COLUMN position bigint,
  ADD COLUMN balance_after numeric(38,18),
  ADD COLUMN debt_after numeric(38,18);
ALTER TABLE accounts.entry DISABLE TRIGGER entry_append_only;
UPDATE accounts.entry e SET user_id = n.user_id, position = n.position, balance_after = n.balance_after, debt_after = 0
  FROM (SELECT o.transfer_id, a.id, a.user_id, row_number() OVER w AS position, sum(o.amount) OVER w AS balance_after
          FROM accounts.entry o JOIN accounts.ledger_account a ON a.id = o.ledger_account_id AND a.user_id IS NOT NULL
        WINDOW w AS (PARTITION BY a.id ORDER BY o.transfer_id)) n
 WHERE e.transfer_id = n.transfer_id AND e.ledger_account_id = n.id;
ALTER TABLE accounts.entry ENABLE TRIGGER entry_append_only;
UPDATE accounts.ledger_account a SET entry_count = (SELECT count(*) FROM accounts.entry e WHERE e.user_id = a.user_id)
 WHERE a.user_id IS NOT NULL;
CREATE UNIQUE INDEX entry_statement ON accounts.entry (user_id, position) WHERE user_id IS NOT NULL;
DROP INDEX accounts.entry_account;

-- The user's row is locked by the first entry, so positions have no gaps and every figure follows from the one before.
DROP TRIGGER entry_keeps_balance ON accounts.entry;
CREATE OR REPLACE FUNCTION accounts.keep_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account accounts.ledger_account;
BEGIN
  SELECT * INTO account FROM accounts.ledger_account WHERE id = NEW.ledger_account_id;
  NEW.user_id := coalesce(account.user_id, account.debtor_id);
  NEW.position := NULL;
  NEW.balance_after := NULL;
  NEW.debt_after := NULL;
  IF NEW.user_id IS NOT NULL THEN
    UPDATE accounts.ledger_account a
       SET balance = a.balance + CASE WHEN account.user_id IS NULL THEN 0 ELSE NEW.amount END,
           debt = a.debt - CASE WHEN account.user_id IS NULL THEN NEW.amount ELSE 0 END,
           entry_count = a.entry_count + 1,
           updated_at = greatest(a.updated_at, (SELECT created_at FROM accounts.transfer WHERE id = NEW.transfer_id))
     WHERE a.user_id = NEW.user_id
     RETURNING a.balance, a.debt, a.entry_count INTO NEW.balance_after, NEW.debt_after, NEW.position;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entry_keeps_balance BEFORE INSERT ON accounts.entry
  FOR EACH ROW EXECUTE FUNCTION accounts.keep_balance();
