-- What came of adding the ledger up. Creates a table only: instant on any database.

CREATE TABLE accounts.ledger_proof (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  proved_at timestamptz NOT NULL,
  holds boolean NOT NULL,
  figures jsonb NOT NULL,
  differences jsonb NOT NULL
);
