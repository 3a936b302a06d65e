-- The rows of a graph are found by their tenant first, so that a graph can lie on one node: the key (tenant_id, id) that others refer
-- to becomes the primary key, and the key of the id alone goes. Builds the keys and checks the references of every row once, hundreds
-- of thousands a second.

ALTER TABLE network.policy DROP CONSTRAINT policy_source, DROP CONSTRAINT policy_dest;
ALTER TABLE network.member DROP CONSTRAINT member_group, DROP CONSTRAINT member_peer;
ALTER TABLE network.resource_group DROP CONSTRAINT resource_group_resource, DROP CONSTRAINT resource_group_group;
ALTER TABLE network.enrollment DROP CONSTRAINT enrollment_peer, DROP CONSTRAINT enrollment_group;
ALTER TABLE network.infra_enrollment DROP CONSTRAINT infra_peer, DROP CONSTRAINT infra_group;
ALTER TABLE network.certificate_holder DROP CONSTRAINT certificate_holder_peer;
ALTER TABLE network.found_address DROP CONSTRAINT found_address_resource, DROP CONSTRAINT found_address_peer;
ALTER TABLE network.router DROP CONSTRAINT router_network, DROP CONSTRAINT router_peer;
ALTER TABLE network.resource DROP CONSTRAINT resource_network;

ALTER TABLE network."group" DROP CONSTRAINT group_of_tenant, DROP CONSTRAINT group_pkey, ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE network.network DROP CONSTRAINT network_of_tenant, DROP CONSTRAINT network_pkey, ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE network.peer DROP CONSTRAINT peer_of_tenant, DROP CONSTRAINT peer_pkey, ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE network.policy DROP CONSTRAINT policy_pkey, ADD PRIMARY KEY (tenant_id, id);
ALTER TABLE network.member DROP CONSTRAINT member_pkey, ADD PRIMARY KEY (tenant_id, group_id, peer_id);
ALTER TABLE network.resource
  DROP CONSTRAINT resource_of_tenant,
  DROP CONSTRAINT resource_pkey,
  DROP CONSTRAINT resource_name,
  ADD PRIMARY KEY (tenant_id, id),
  ADD CONSTRAINT resource_name UNIQUE (tenant_id, network_id, name);
ALTER TABLE network.resource_group DROP CONSTRAINT resource_group_pkey, ADD PRIMARY KEY (tenant_id, resource_id, group_id);
ALTER TABLE network.router
  DROP CONSTRAINT router_of_tenant,
  DROP CONSTRAINT router_pkey,
  DROP CONSTRAINT router_once,
  ADD PRIMARY KEY (tenant_id, id),
  ADD CONSTRAINT router_once UNIQUE (tenant_id, network_id, peer_id);

ALTER TABLE network.policy
  ADD CONSTRAINT policy_source FOREIGN KEY (tenant_id, source_group_id) REFERENCES network."group",
  ADD CONSTRAINT policy_dest FOREIGN KEY (tenant_id, dest_group_id) REFERENCES network."group";
ALTER TABLE network.resource
  ADD CONSTRAINT resource_network FOREIGN KEY (tenant_id, network_id) REFERENCES network.network ON DELETE CASCADE;
ALTER TABLE network.router
  ADD CONSTRAINT router_network FOREIGN KEY (tenant_id, network_id) REFERENCES network.network ON DELETE CASCADE,
  ADD CONSTRAINT router_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer ON DELETE CASCADE;
ALTER TABLE network.member
  ADD CONSTRAINT member_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group",
  ADD CONSTRAINT member_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer ON DELETE CASCADE;
ALTER TABLE network.resource_group
  ADD CONSTRAINT resource_group_resource FOREIGN KEY (tenant_id, resource_id) REFERENCES network.resource ON DELETE CASCADE,
  ADD CONSTRAINT resource_group_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group";
ALTER TABLE network.enrollment
  ADD CONSTRAINT enrollment_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer ON DELETE SET NULL (peer_id),
  ADD CONSTRAINT enrollment_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group" ON DELETE SET NULL (group_id);
ALTER TABLE network.infra_enrollment
  ADD CONSTRAINT infra_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer ON DELETE SET NULL (peer_id),
  ADD CONSTRAINT infra_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group" ON DELETE SET NULL (group_id);
ALTER TABLE network.certificate_holder
  ADD CONSTRAINT certificate_holder_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer ON DELETE SET NULL (peer_id);
ALTER TABLE network.found_address
  ADD CONSTRAINT found_address_resource FOREIGN KEY (tenant_id, resource_id) REFERENCES network.resource ON DELETE CASCADE,
  ADD CONSTRAINT found_address_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer ON DELETE CASCADE;

-- As before, by the keys of the tenant.
CREATE OR REPLACE FUNCTION network.forget_found_of_router() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM network.found_address f USING network.resource r
   WHERE f.tenant_id = OLD.tenant_id AND f.peer_id = OLD.peer_id
     AND r.tenant_id = OLD.tenant_id AND r.id = f.resource_id AND r.network_id = OLD.network_id;
  RETURN NULL;
END $$;
