-- When the attempts that count were made, in place of how many since the turn of a clock minute: what is counted is
-- forgotten. Empties the table and changes its columns: instant on any database.

TRUNCATE accounts.rate;
ALTER TABLE accounts.rate
  DROP COLUMN window_start,
  DROP COLUMN count,
  ADD COLUMN taken timestamptz[] NOT NULL,
  ADD COLUMN free_at timestamptz;
