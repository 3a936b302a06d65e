-- The kinds of notifications that a user has turned off, in one list instead of a column for each kind. Rewrites one row a
-- user.
ALTER TABLE accounts.preference ADD COLUMN muted_kinds text[] NOT NULL DEFAULT '{marketing}';
UPDATE accounts.preference
   SET muted_kinds = array_remove(ARRAY[
         CASE WHEN NOT file_status_updates THEN 'file_status' END, CASE WHEN NOT low_credit_alerts THEN 'low_credit' END,
         CASE WHEN NOT marketing_emails THEN 'marketing' END, CASE WHEN NOT zero_balance_alerts THEN 'zero_balance' END
       ], NULL);

CREATE OR REPLACE FUNCTION accounts.watch_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted accounts.preference;
  amount text := trim_scale(NEW.balance)::text;
BEGIN
  SELECT * INTO wanted FROM accounts.preference WHERE user_id = NEW.user_id;
  IF NEW.balance > wanted.low_credit_level THEN
    NEW.is_low := false;
  ELSIF NEW.balance < wanted.low_credit_level AND NEW.balance < OLD.balance AND NOT OLD.is_low THEN
    NEW.is_low := true;
    NEW.alerts := NEW.alerts + 1;
    IF NOT 'low_credit' = ANY (wanted.muted_kinds) THEN
      INSERT INTO accounts.notification (user_id, kind, key, title, text, link, created_at)
      VALUES (NEW.user_id, 'low_credit', 'low_credit:' || NEW.alerts, 'Your credits are running low',
              format('You have %s credits left, fewer than the %s at which you want to be told.', amount,
                     trim_scale(wanted.low_credit_level)), '/billing', NEW.updated_at);
    END IF;
  END IF;
  IF NEW.balance = 0 AND OLD.balance > 0 THEN
    NEW.alerts := NEW.alerts + 1;
    IF NOT 'zero_balance' = ANY (wanted.muted_kinds) THEN
      INSERT INTO accounts.notification (user_id, kind, key, title, text, link, created_at)
      VALUES (NEW.user_id, 'zero_balance', 'zero_balance:' || NEW.alerts, 'Your credits are used up',
              'You have no credits left: what costs credits stops until you buy more.', '/billing', NEW.updated_at);
    END IF;
  END IF;
  RETURN NEW;
END $$;

ALTER TABLE accounts.preference
  DROP COLUMN low_credit_alerts, DROP COLUMN zero_balance_alerts, DROP COLUMN file_status_updates,
  DROP COLUMN marketing_emails;
