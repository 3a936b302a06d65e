-- What users want to be told and how they are told it. Adds one row a user and rewrites notifications once; those from
-- before are taken for delivered. The columns of the ledger have constant defaults: instant.

CREATE TABLE accounts.preference (
  user_id integer PRIMARY KEY REFERENCES accounts.user,
  email_enabled boolean NOT NULL DEFAULT true,
  low_credit_alerts boolean NOT NULL DEFAULT true,
  zero_balance_alerts boolean NOT NULL DEFAULT true,
  file_status_updates boolean NOT NULL DEFAULT true,
  marketing_emails boolean NOT NULL DEFAULT false,
  low_credit_level numeric(38,18) NOT NULL DEFAULT 10 CHECK (low_credit_level >= 0)
);
INSERT INTO accounts.preference (user_id) SELECT id FROM accounts.user;

CREATE FUNCTION accounts.add_preference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts.preference (user_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER user_has_preference AFTER INSERT ON accounts.user
  FOR EACH ROW EXECUTE FUNCTION accounts.add_preference();

-- Ids are given before commits, which come in another order: who reads on looks for what its last snapshot did not show.
ALTER TABLE accounts.notification
  ADD COLUMN added_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  ADD COLUMN planned_at timestamptz;
UPDATE accounts.notification SET planned_at = created_at;
CREATE INDEX notification_unplanned ON accounts.notification (id) WHERE planned_at IS NULL;
CREATE INDEX notification_unread ON accounts.notification (user_id, id DESC) WHERE read_at IS NULL;

ALTER TABLE accounts.ledger_account
  ADD COLUMN alerts integer NOT NULL DEFAULT 0,
  ADD COLUMN is_low boolean NOT NULL DEFAULT false;

-- A fall below the level and to zero is told once, whoever spends and however; again only after a rise above.
CREATE FUNCTION accounts.watch_balance() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF wanted.low_credit_alerts THEN
      INSERT INTO accounts.notification (user_id, kind, key, title, text, link, created_at)
      VALUES (NEW.user_id, 'low_credit', 'low_credit:' || NEW.alerts, 'Your credits are running low',
              format('You have %s credits left, fewer than the %s at which you want to be told.', amount,
                     trim_scale(wanted.low_credit_level)), '/billing', NEW.updated_at);
    END IF;
  END IF;
  IF NEW.balance = 0 AND OLD.balance > 0 THEN
    NEW.alerts := NEW.alerts + 1;
    IF wanted.zero_balance_alerts THEN
      INSERT INTO accounts.notification (user_id, kind, key, title, text, link, created_at)
      VALUES (NEW.user_id, 'zero_balance', 'zero_balance:' || NEW.alerts, 'Your credits are used up',
              'You have no credits left: what costs credits stops until you buy more.', '/billing', NEW.updated_at);
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_account_watched BEFORE UPDATE OF balance ON accounts.ledger_account
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION accounts.watch_balance();

-- Ten a user: the slots are the limit.
CREATE TABLE accounts.webhook_endpoint (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES accounts.user,
  slot smallint NOT NULL CONSTRAINT webhook_endpoint_limit CHECK (slot BETWEEN 1 AND 10),
  url text NOT NULL CHECK (length(url) <= 2048),
  kinds text[] NOT NULL,
  sealed_secret text NOT NULL,
  sealed_previous text,
  previous_until timestamptz,
  is_enabled boolean NOT NULL DEFAULT true,
  disabled_because text,
  failing_since timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT webhook_endpoint_slot UNIQUE (user_id, slot)
);

-- One a notification and channel; without an endpoint it goes by e-mail.
CREATE TABLE accounts.delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  notification_id bigint NOT NULL REFERENCES accounts.notification,
  endpoint_id uuid REFERENCES accounts.webhook_endpoint ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_error text,
  response_status integer,
  response_body text CHECK (length(response_body) <= 500),
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  CONSTRAINT delivery_once UNIQUE NULLS NOT DISTINCT (notification_id, endpoint_id),
  CONSTRAINT delivery_pending_is_due CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX delivery_due ON accounts.delivery (next_attempt_at) WHERE state = 'pending';
CREATE INDEX delivery_endpoint ON accounts.delivery (endpoint_id, id DESC);

CREATE TABLE accounts.email_confirmation (
  user_id integer PRIMARY KEY REFERENCES accounts.user,
  email text NOT NULL,
  code_hash text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
