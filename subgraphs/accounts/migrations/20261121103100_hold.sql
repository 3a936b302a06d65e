-- Credits set aside for something under way. Creates a table only: instant on any database.

CREATE TABLE accounts.hold (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES accounts.user,
  source text NOT NULL,
  reference text NOT NULL,
  reason text NOT NULL,
  credits numeric(38,18) NOT NULL CHECK (credits > 0),
  settled numeric(38,18) NOT NULL DEFAULT 0 CHECK (settled >= 0),
  remaining numeric(38,18) NOT NULL CHECK (remaining >= 0),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'settled', 'released', 'expired')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  closed_at timestamptz,
  CONSTRAINT hold_once UNIQUE (source, reference),
  CONSTRAINT hold_adds_up CHECK (settled + remaining <= credits),
  CONSTRAINT hold_open CHECK ((state = 'open') = (remaining > 0) AND (state = 'open') = (closed_at IS NULL))
);
CREATE INDEX hold_open_of_user ON accounts.hold (user_id) WHERE state = 'open';

CREATE FUNCTION accounts.keep_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts.ledger_account
     SET held = held + CASE TG_OP WHEN 'INSERT' THEN NEW.remaining ELSE NEW.remaining - OLD.remaining END
   WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER hold_keeps_held AFTER INSERT OR UPDATE OF remaining ON accounts.hold
  FOR EACH ROW EXECUTE FUNCTION accounts.keep_held();
