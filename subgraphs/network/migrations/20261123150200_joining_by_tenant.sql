-- Setup keys, attached machines, resolved addresses and drift are found by their tenant first. Builds the keys once, hundreds of
-- thousands of rows a second.

ALTER TABLE network.enrollment
  DROP CONSTRAINT enrollment_of_tenant,
  DROP CONSTRAINT enrollment_pkey,
  DROP CONSTRAINT enrollment_of_vm,
  ADD PRIMARY KEY (tenant_id, id),
  ADD CONSTRAINT enrollment_of_vm UNIQUE (tenant_id, vm);
ALTER TABLE network.infra_enrollment DROP CONSTRAINT infra_enrollment_pkey, ADD PRIMARY KEY (tenant_id, id);
-- The key also finds the addresses of a resource.
DROP INDEX network.found_address_of_tenant;
ALTER TABLE network.found_address
  DROP CONSTRAINT found_address_pkey,
  DROP CONSTRAINT found_address_once,
  ADD PRIMARY KEY (tenant_id, id),
  ADD CONSTRAINT found_address_once UNIQUE (tenant_id, resource_id, peer_id, address);
ALTER TABLE network.netbird_drift DROP CONSTRAINT netbird_drift_pkey, ADD PRIMARY KEY (tenant_id, id);
