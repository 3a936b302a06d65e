-- Events whose effect failed are kept for administrators. The check is replaced without a look at the rows, which all
-- fulfil it, so the lock is short; the index of what waits stays as it is: a failed event is tried by hand only.

ALTER TABLE accounts.processor_event DROP CONSTRAINT processor_event_status_check;
ALTER TABLE accounts.processor_event ADD CONSTRAINT processor_event_status_check
  CHECK (status IN ('received', 'processed', 'ignored', 'parked', 'flagged', 'failed')) NOT VALID;
