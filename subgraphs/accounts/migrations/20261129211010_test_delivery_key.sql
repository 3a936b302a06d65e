-- without a transaction
-- The index for the unique key with which an endpoint has many test events, built while deliveries are added. All deliveries are read twice.

ALTER TABLE accounts.delivery VALIDATE CONSTRAINT delivery_has_event;

DROP INDEX CONCURRENTLY IF EXISTS accounts.delivery_event;

CREATE UNIQUE INDEX CONCURRENTLY delivery_event ON accounts.delivery (user_id, notification_id, endpoint_id, test_key) NULLS NOT DISTINCT;
