-- Users, sign-in, tokens, the ledger and token prices. Creates tables only: instant on any database.

CREATE TABLE accounts.user (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL UNIQUE,
  email text,
  ethereum_address text UNIQUE,
  substrate_address text UNIQUE,
  substrate_proved boolean NOT NULL DEFAULT false,
  roles text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);

CREATE TABLE accounts.challenge (
  challenge text PRIMARY KEY,
  ethereum_address text NOT NULL,
  substrate_address text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX challenge_pair ON accounts.challenge (ethereum_address, substrate_address, created_at DESC);
CREATE INDEX challenge_expiry ON accounts.challenge (expires_at);
CREATE TABLE accounts.token (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  hash text NOT NULL UNIQUE,
  user_id integer REFERENCES accounts.user,
  name text NOT NULL,
  roles text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX token_user ON accounts.token (user_id);

-- A balance is kept for users only: the platform's own side of a transfer would be a row that every grant locks.
CREATE TABLE accounts.ledger_account (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer UNIQUE REFERENCES accounts.user,
  name text UNIQUE,
  balance numeric(38,18),
  updated_at timestamptz NOT NULL,
  CONSTRAINT ledger_account_owner CHECK ((user_id IS NULL) <> (name IS NULL)),
  CONSTRAINT ledger_account_keeps_balance CHECK ((user_id IS NULL) = (balance IS NULL)),
  CONSTRAINT ledger_account_not_overdrawn CHECK (balance >= 0)
);
CREATE TABLE accounts.transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  reference text NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT transfer_once UNIQUE (source, reference, kind)
);
CREATE TABLE accounts.entry (
  transfer_id bigint NOT NULL REFERENCES accounts.transfer,
  ledger_account_id integer NOT NULL REFERENCES accounts.ledger_account,
  amount numeric(38,18) NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transfer_id, ledger_account_id)
);
CREATE INDEX entry_account ON accounts.entry (ledger_account_id, transfer_id);
INSERT INTO accounts.ledger_account (name, updated_at) VALUES ('issuance', now());

CREATE FUNCTION accounts.keep_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts.ledger_account
     SET balance = balance + NEW.amount,
         updated_at = greatest(updated_at, (SELECT created_at FROM accounts.transfer WHERE id = NEW.transfer_id))
   WHERE id = NEW.ledger_account_id AND user_id IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER entry_keeps_balance AFTER INSERT ON accounts.entry
  FOR EACH ROW EXECUTE FUNCTION accounts.keep_balance();

CREATE FUNCTION accounts.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'ledger_append_only';
END $$;
CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON accounts.entry
  FOR EACH STATEMENT EXECUTE FUNCTION accounts.refuse_change();
CREATE TRIGGER transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON accounts.transfer
  FOR EACH STATEMENT EXECUTE FUNCTION accounts.refuse_change();

CREATE FUNCTION accounts.prove_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount) FROM accounts.entry WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'entries of a transfer sum to zero' USING ERRCODE = 'check_violation', CONSTRAINT = 'transfer_sums_to_zero';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfer_sums_to_zero AFTER INSERT ON accounts.entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION accounts.prove_transfer();

CREATE TABLE accounts.token_price (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  price_usd numeric(38,18) NOT NULL CHECK (price_usd > 0),
  block_number integer NOT NULL CHECK (block_number >= 0),
  created_at timestamptz NOT NULL
);
CREATE INDEX token_price_latest ON accounts.token_price (created_at DESC, id DESC);
