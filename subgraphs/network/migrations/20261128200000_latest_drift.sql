-- without a transaction

DROP INDEX CONCURRENTLY IF EXISTS network.netbird_drift_latest;

CREATE INDEX CONCURRENTLY netbird_drift_latest ON network.netbird_drift (id);
