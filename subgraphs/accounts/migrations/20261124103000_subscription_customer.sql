-- without a transaction

DROP INDEX CONCURRENTLY IF EXISTS accounts.subscription_customer;

CREATE INDEX CONCURRENTLY subscription_customer ON accounts.subscription (processor_customer_id);
