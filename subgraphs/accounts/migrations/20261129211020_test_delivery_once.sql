-- One delivery of a notification to a channel, as before, and one of a test key to an endpoint. The index exists: locks the table for an
-- instant. The name stays, because the previous version names it in its statements.

ALTER TABLE accounts.delivery
  DROP CONSTRAINT delivery_once,
  ADD CONSTRAINT delivery_once UNIQUE USING INDEX delivery_event;
