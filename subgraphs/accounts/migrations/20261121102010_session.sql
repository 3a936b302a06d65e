-- Last use of tokens, sessions with rotating refresh tokens, and the keys that sign access tokens. Adds empty columns and
-- tables only: instant on any database.

ALTER TABLE accounts.token
  ADD COLUMN last_used_at timestamptz,
  ADD COLUMN last_address text;

CREATE TABLE accounts.session (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES accounts.user,
  token_id uuid REFERENCES accounts.token,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_address text
);
CREATE INDEX session_holder ON accounts.session (user_id);
CREATE INDEX session_token ON accounts.session (token_id);
CREATE INDEX session_expiry ON accounts.session (expires_at);

CREATE TABLE accounts.refresh_token (
  hash text PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES accounts.session ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- The next token, sealed with this one, whose text is nowhere kept: only who still holds it can be told again.
  sealed_successor bytea
);
CREATE INDEX refresh_token_session ON accounts.refresh_token (session_id);
CREATE INDEX refresh_token_expiry ON accounts.refresh_token (expires_at);

CREATE TABLE accounts.signing_key (
  kid text PRIMARY KEY,
  public_x text NOT NULL,
  sealed_private_key bytea NOT NULL,
  sealed_by text NOT NULL,
  created_at timestamptz NOT NULL,
  retired_at timestamptz
);
CREATE UNIQUE INDEX signing_key_active ON accounts.signing_key (sealed_by) WHERE retired_at IS NULL;
