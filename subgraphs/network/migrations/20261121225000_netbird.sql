-- What a NetBird server keeps for us, where one carries the networks. Creates tables only: instant on any database.

CREATE TABLE network.netbird_tenant (
  tenant_id integer PRIMARY KEY REFERENCES network.tenant,
  -- The graph_revision that the server was brought to last.
  revision integer,
  -- Who brings it up to date, and until when nobody else does; when it was last given back.
  lease uuid,
  lease_until timestamptz,
  ended_at timestamptz,
  -- When it was last looked at for what others did.
  looked_at timestamptz
);

-- Our objects and the server's ids of them. A peer is a group there, put on its machine by the setup key; the machine is a row of its own.
CREATE TABLE network.netbird_object (
  tenant_id integer NOT NULL REFERENCES network.tenant,
  kind text NOT NULL CHECK (kind IN ('peer', 'machine', 'key', 'group', 'network', 'resource', 'router', 'policy')),
  object_id integer NOT NULL,
  -- Null while the server is asked for it.
  external_id text,
  -- Of the network that a resource or router is in.
  parent_id text,
  -- SHA-256 of what was sent, and of what the server made of it.
  sent_hash text,
  answered_hash text,
  -- Until when an enrollment that has begun may still make its peer; null: it has, or was none.
  reserved_until timestamptz,
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind, object_id)
);

-- What somebody else did to objects of ours.
CREATE TABLE network.netbird_drift (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  kind text NOT NULL,
  object_id integer,
  external_id text NOT NULL,
  what text NOT NULL CHECK (what IN ('changed', 'deleted', 'added')),
  found_at timestamptz NOT NULL,
  repaired_at timestamptz
);
CREATE UNIQUE INDEX netbird_drift_open ON network.netbird_drift (tenant_id, kind, external_id, what) WHERE repaired_at IS NULL;
CREATE INDEX netbird_drift_repaired ON network.netbird_drift (repaired_at);
