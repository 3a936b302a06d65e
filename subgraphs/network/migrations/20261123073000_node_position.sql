-- Where users put the nodes of their topology. Creates a table only: instant on any database.

CREATE TABLE network.node_position (
  tenant_id integer NOT NULL REFERENCES network.tenant,
  kind text NOT NULL CHECK (kind IN ('group', 'peer', 'resource', 'router')),
  item_id integer NOT NULL,
  x integer NOT NULL CHECK (abs(x) <= 1000000),
  y integer NOT NULL CHECK (abs(y) <= 1000000),
  PRIMARY KEY (tenant_id, kind, item_id)
);
