-- Attempts per window of time. Creates a table only: instant on any database.

CREATE UNLOGGED TABLE accounts.rate (
  scope text NOT NULL,
  key text NOT NULL,
  window_start timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (scope, key)
);
