-- When a delivery was last attempted, so that it is not sent again at once. A column that may be null: instant on any table.

ALTER TABLE accounts.delivery ADD COLUMN attempted_at timestamptz;
