-- A delivery of a test event has no notification, but a key of its own. The previous version adds no such delivery, does not list it and, if
-- it takes its job, sends nothing: the next version sends it a minute later. Locks the table for an instant; no row is read.

ALTER TABLE accounts.delivery
  ADD COLUMN test_key text,
  ALTER COLUMN notification_id DROP NOT NULL,
  ADD CONSTRAINT delivery_has_event CHECK (
    (notification_id IS NULL) = (test_key IS NOT NULL) AND (endpoint_id IS NOT NULL OR test_key IS NULL)
  ) NOT VALID;
