-- without a transaction

-- The watch reads failed machines too. An attempt that failed leaves an invalid index.
DROP INDEX CONCURRENTLY IF EXISTS infrastructure.vm_instance_stable;

CREATE INDEX CONCURRENTLY vm_instance_stable ON infrastructure.vm_instance (id) WHERE state IN ('running', 'stopped', 'failed');

DROP INDEX CONCURRENTLY IF EXISTS infrastructure.vm_instance_at_rest;
