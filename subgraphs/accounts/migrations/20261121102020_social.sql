-- Sign-in by social providers. Creates tables only: instant on any database.

CREATE TABLE accounts.identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id integer NOT NULL REFERENCES accounts.user,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_user ON accounts.identity (user_id);

CREATE TABLE accounts.pending_login (
  state_hash text PRIMARY KEY,
  browser_hash text NOT NULL,
  provider text NOT NULL,
  callback_url text NOT NULL,
  sealed_checks bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_login_expiry ON accounts.pending_login (expires_at);

CREATE TABLE accounts.auth_code (
  hash text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES accounts.user,
  provider text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX auth_code_expiry ON accounts.auth_code (expires_at);
