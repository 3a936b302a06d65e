-- How far a day is closed: owner by owner, and for an owner before the others. Adds columns without a default: instant.

-- The last owner for whom it is closed while it is being closed; null: it is closed for all, as every day of an earlier version.
ALTER TABLE sync.storage_day ADD COLUMN closed_up_to_owner bigint;
-- The last day that was closed for this owner before it was closed for all; null: none.
ALTER TABLE sync.owner ADD COLUMN closed_up_to date;
