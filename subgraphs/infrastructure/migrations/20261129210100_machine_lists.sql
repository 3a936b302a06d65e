-- without a transaction

-- A list of machines reads those that exist and the last ones that were terminated, however many its user had. Attempts that failed
-- leave an invalid index. Both are built while machines change.
DROP INDEX CONCURRENTLY IF EXISTS infrastructure.vm_instance_existing;

CREATE INDEX CONCURRENTLY vm_instance_existing ON infrastructure.vm_instance (user_id, id) WHERE state <> 'terminated';

DROP INDEX CONCURRENTLY IF EXISTS infrastructure.vm_instance_terminated;

CREATE INDEX CONCURRENTLY vm_instance_terminated ON infrastructure.vm_instance (user_id, updated_at) WHERE state = 'terminated';
