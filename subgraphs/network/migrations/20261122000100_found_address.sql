-- What routers find that the names behind them stand for. A new table, triggers on small ones: instant on any database.

CREATE TABLE network.found_address (
  -- Grows: what was found earlier has a lower one.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  resource_id integer NOT NULL,
  -- Who found it.
  peer_id integer NOT NULL,
  address inet NOT NULL CHECK (family(address) = 4 AND masklen(address) = 32),
  found_at timestamptz NOT NULL,
  -- Since when the name does not stand for it any more; it counts for a while still.
  gone_at timestamptz,
  CONSTRAINT found_address_once UNIQUE (resource_id, peer_id, address),
  CONSTRAINT found_address_resource FOREIGN KEY (tenant_id, resource_id) REFERENCES network.resource (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT found_address_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX found_address_of_tenant ON network.found_address (tenant_id, resource_id);
CREATE INDEX found_address_of_peer ON network.found_address (tenant_id, peer_id);
CREATE INDEX found_address_gone ON network.found_address (gone_at) WHERE gone_at IS NOT NULL;

-- However a router goes or a resource gets another name, what was found for it is of no account from then on.
CREATE FUNCTION network.forget_found_of_router() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM network.found_address f USING network.resource r
   WHERE f.tenant_id = OLD.tenant_id AND f.peer_id = OLD.peer_id AND r.id = f.resource_id AND r.network_id = OLD.network_id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_found AFTER DELETE ON network.router FOR EACH ROW EXECUTE FUNCTION network.forget_found_of_router();

CREATE FUNCTION network.forget_found_of_resource() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM network.found_address WHERE tenant_id = OLD.tenant_id AND resource_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_found AFTER UPDATE OF address, network_id ON network.resource FOR EACH ROW
  WHEN (OLD.address IS DISTINCT FROM NEW.address OR OLD.network_id IS DISTINCT FROM NEW.network_id)
  EXECUTE FUNCTION network.forget_found_of_resource();
