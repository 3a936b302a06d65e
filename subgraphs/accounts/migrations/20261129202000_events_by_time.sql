-- without a transaction
-- Administrators list events of all states, newest first: without an index each page sorts the whole table. The index is built while
-- events are stored.

DROP INDEX CONCURRENTLY IF EXISTS accounts.processor_event_received;

CREATE INDEX CONCURRENTLY processor_event_received ON accounts.processor_event (received_at DESC, id);
