-- How far a day is closed: owner by owner, and for an owner before the others. Creates a table, and adds a column without a default: instant.

-- Days that are being closed, with the last owner for whom they are. A process of an earlier version takes a row of storage_day for the end.
CREATE TABLE sync.closing_day (
  day date PRIMARY KEY,
  closed_up_to_owner bigint NOT NULL
);
-- The last day that was closed for this owner before it was closed for all; null: none.
ALTER TABLE sync.owner ADD COLUMN closed_up_to date;
