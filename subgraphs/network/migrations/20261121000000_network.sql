-- Tenants with their groups, networks and policies. Creates tables only: instant on any database.

CREATE TABLE network.tenant (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL UNIQUE,
  status text NOT NULL CHECK (status IN ('active')),
  address_range cidr NOT NULL UNIQUE,
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);

-- Foreign keys run over (tenant_id, id): PostgreSQL itself refuses an edge between two tenants.
CREATE TABLE network."group" (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  label text NOT NULL CHECK (label ~ '^[a-z0-9-]{1,50}$'),
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  CONSTRAINT group_label UNIQUE (tenant_id, label),
  CONSTRAINT group_of_tenant UNIQUE (tenant_id, id)
);
CREATE UNIQUE INDEX group_default ON network."group" (tenant_id) WHERE is_default;
CREATE TABLE network.network (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  name text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  CONSTRAINT network_name UNIQUE (tenant_id, name),
  CONSTRAINT network_of_tenant UNIQUE (tenant_id, id)
);
CREATE UNIQUE INDEX network_default ON network.network (tenant_id) WHERE is_default;
CREATE TABLE network.policy (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  name text NOT NULL,
  source_group_id integer NOT NULL,
  dest_group_id integer NOT NULL,
  protocol text NOT NULL CHECK (protocol IN ('all', 'tcp', 'udp', 'icmp')),
  ports text[] NOT NULL DEFAULT '{}',
  bidirectional boolean NOT NULL,
  action text NOT NULL CHECK (action IN ('accept', 'drop')),
  enabled boolean NOT NULL,
  is_managed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  CONSTRAINT policy_source FOREIGN KEY (tenant_id, source_group_id) REFERENCES network."group" (tenant_id, id),
  CONSTRAINT policy_dest FOREIGN KEY (tenant_id, dest_group_id) REFERENCES network."group" (tenant_id, id)
);
CREATE INDEX policy_source_group ON network.policy (tenant_id, source_group_id);
CREATE INDEX policy_dest_group ON network.policy (tenant_id, dest_group_id);
