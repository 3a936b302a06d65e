-- Storage that validators measured. Creates a table only: instant on any database.

CREATE TABLE accounts.usage_record (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES accounts.user,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  storage_bytes bigint NOT NULL CHECK (storage_bytes >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT usage_record_once UNIQUE (user_id, period_end, period_start),
  CONSTRAINT usage_record_period CHECK (period_end > period_start)
);
