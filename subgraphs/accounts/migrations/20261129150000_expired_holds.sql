-- without a transaction
-- The job that releases expired holds finds them in the order of their expiry. Open holds are few; the index is built while holds are
-- placed.

DROP INDEX CONCURRENTLY IF EXISTS accounts.hold_expiry;

CREATE INDEX CONCURRENTLY hold_expiry ON accounts.hold (expires_at) WHERE state = 'open';
