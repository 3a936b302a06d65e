-- without a transaction
-- The reconciliation looks every five minutes for card payments that nobody paid in a day. Pending ones are few; the index is built
-- while payments are opened.

DROP INDEX CONCURRENTLY IF EXISTS accounts.transaction_unpaid;

CREATE INDEX CONCURRENTLY transaction_unpaid ON accounts.transaction (created_at)
  WHERE status = 'pending' AND payment_type = 'payproc';
