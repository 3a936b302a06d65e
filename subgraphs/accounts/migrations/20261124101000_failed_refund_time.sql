-- What a failed refund took from the refunds of its payment, and when. Those so far, and those that the previous version adds, were
-- subtracted from the total when they arrived: by default they count as nothing. Adds columns with constant values: ACCESS EXCLUSIVE on
-- the table for an instant, however many rows it has.

ALTER TABLE accounts.failed_refund
  ADD COLUMN cents bigint NOT NULL DEFAULT 0 CHECK (cents >= 0),
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT to_timestamp(0),
  ADD COLUMN failed_at timestamptz NOT NULL DEFAULT to_timestamp(0);
