-- How urgent a notification is, where it differs from its kind. Null: as its kind; also for all that the previous version adds. Columns without a
-- value and a check of none: ACCESS EXCLUSIVE for an instant.

ALTER TABLE accounts.notification
  ADD COLUMN own_severity text,
  ADD CONSTRAINT notification_severity CHECK (own_severity IN ('info', 'warning', 'critical')) NOT VALID;
