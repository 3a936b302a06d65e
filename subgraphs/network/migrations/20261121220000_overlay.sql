-- Peers, what lies behind them, how they join and what changed. Adds tables and columns with constant defaults: instant on any database.

-- Ranges are given in turn; past the end of the pool they come round again, as overlays of different authorities never meet.
ALTER TABLE network.tenant ADD COLUMN range_number integer;
UPDATE network.tenant t SET range_number = o.place
  FROM (SELECT id, (row_number() OVER (ORDER BY address_range))::integer - 1 AS place FROM network.tenant) o WHERE o.id = t.id;
ALTER TABLE network.tenant
  ALTER COLUMN range_number SET NOT NULL,
  ADD CONSTRAINT tenant_range_number UNIQUE (range_number),
  DROP CONSTRAINT tenant_address_range_key,
  -- Grows with what the compiler reads; `revision` grows with everything that is shown.
  ADD COLUMN graph_revision integer NOT NULL DEFAULT 0;

ALTER TABLE network."group" ADD COLUMN is_infra boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX group_infra ON network."group" (tenant_id) WHERE is_infra;

CREATE TABLE network.peer (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  label text NOT NULL CHECK (label ~ '^[a-z0-9-]{1,50}$'),
  ip inet NOT NULL,
  vm_ticket_ref text CHECK (length(vm_ticket_ref) <= 256),
  is_infra boolean NOT NULL DEFAULT false,
  -- x25519, 32 bytes, and what was issued for it; null until it joined.
  public_key bytea CHECK (length(public_key) = 32),
  token_hash text UNIQUE,
  certificate bytea,
  certificate_fingerprint text,
  certificate_not_after timestamptz,
  -- SHA-256 of the configuration it should run, since when, and of the one it says it runs.
  config_hash text,
  config_changed_at timestamptz,
  applied_hash text,
  joined_at timestamptz,
  last_seen timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT peer_of_tenant UNIQUE (tenant_id, id),
  CONSTRAINT peer_ip UNIQUE (tenant_id, ip),
  CONSTRAINT peer_public_key UNIQUE (tenant_id, public_key)
);

CREATE TABLE network.member (
  tenant_id integer NOT NULL,
  group_id integer NOT NULL,
  peer_id integer NOT NULL,
  PRIMARY KEY (group_id, peer_id),
  CONSTRAINT member_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group" (tenant_id, id),
  CONSTRAINT member_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX member_of_peer ON network.member (tenant_id, peer_id);

-- A one-off setup key; the key itself is stored hashed.
CREATE TABLE network.enrollment (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  peer_id integer,
  name text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  masked_key text NOT NULL,
  group_id integer NOT NULL,
  vm_ticket_ref text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT enrollment_of_tenant UNIQUE (tenant_id, id),
  CONSTRAINT enrollment_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer (tenant_id, id) ON DELETE SET NULL (peer_id)
);
CREATE INDEX enrollment_by_peer ON network.enrollment (tenant_id, peer_id);

-- Machines that the platform runs, attached to a tenant.
CREATE TABLE network.infra_enrollment (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  peer_id integer,
  name text NOT NULL,
  vm_instance text,
  group_id integer,
  created_at timestamptz NOT NULL,
  CONSTRAINT infra_name UNIQUE (tenant_id, name),
  CONSTRAINT infra_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer (tenant_id, id) ON DELETE SET NULL (peer_id)
);

CREATE TABLE network.resource (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL,
  network_id integer NOT NULL,
  name text NOT NULL,
  address text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('host', 'subnet', 'domain')),
  created_at timestamptz NOT NULL,
  CONSTRAINT resource_of_tenant UNIQUE (tenant_id, id),
  CONSTRAINT resource_name UNIQUE (network_id, name),
  CONSTRAINT resource_network FOREIGN KEY (tenant_id, network_id) REFERENCES network.network (tenant_id, id) ON DELETE CASCADE
);
CREATE TABLE network.resource_group (
  tenant_id integer NOT NULL,
  resource_id integer NOT NULL,
  group_id integer NOT NULL,
  PRIMARY KEY (resource_id, group_id),
  CONSTRAINT resource_group_resource FOREIGN KEY (tenant_id, resource_id) REFERENCES network.resource (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT resource_group_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group" (tenant_id, id)
);
CREATE INDEX resource_group_of_group ON network.resource_group (tenant_id, group_id);

CREATE TABLE network.router (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL,
  network_id integer NOT NULL,
  peer_id integer NOT NULL,
  masquerade boolean NOT NULL,
  metric integer NOT NULL CHECK (metric BETWEEN 1 AND 9999),
  created_at timestamptz NOT NULL,
  CONSTRAINT router_of_tenant UNIQUE (tenant_id, id),
  CONSTRAINT router_once UNIQUE (network_id, peer_id),
  CONSTRAINT router_network FOREIGN KEY (tenant_id, network_id) REFERENCES network.network (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT router_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX router_by_peer ON network.router (tenant_id, peer_id);

-- Certificate authorities; the key is sealed. Several may be trusted at once, the newest signs.
CREATE TABLE network.authority (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  certificate bytea NOT NULL,
  fingerprint text NOT NULL UNIQUE,
  sealed_key text NOT NULL,
  not_before timestamptz NOT NULL,
  not_after timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX authority_of_tenant ON network.authority (tenant_id);

-- What every peer refuses until it would have ended by itself.
CREATE TABLE network.revoked_certificate (
  fingerprint text PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  not_after timestamptz NOT NULL,
  revoked_at timestamptz NOT NULL
);
CREATE INDEX revoked_certificate_of_tenant ON network.revoked_certificate (tenant_id, not_after);

-- What changed, when and by whom; the rows of each change are written by the tables themselves.
CREATE TABLE network.change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  revision integer NOT NULL,
  user_id integer NOT NULL,
  at timestamptz NOT NULL,
  undoes bigint UNIQUE REFERENCES network.change,
  CONSTRAINT change_revision UNIQUE (tenant_id, revision)
);
CREATE TABLE network.change_item (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  change_id bigint NOT NULL REFERENCES network.change ON DELETE CASCADE,
  kind text NOT NULL,
  before jsonb,
  after jsonb
);
CREATE INDEX change_item_of_change ON network.change_item (change_id);

-- Takes part only in transactions that named their change: `SELECT set_config('network.change', id, true)`.
CREATE FUNCTION network.record_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text := current_setting('network.change', true);
  secrets text[] := '{public_key,token_hash,certificate}';
BEGIN
  IF change IS NULL OR change = '' OR (TG_OP = 'UPDATE' AND to_jsonb(OLD) = to_jsonb(NEW)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO network.change_item (change_id, kind, before, after)
  VALUES (change::bigint, TG_TABLE_NAME,
          CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE to_jsonb(OLD) - secrets END,
          CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) - secrets END);
  RETURN NULL;
END $$;
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network."group" FOR EACH ROW EXECUTE FUNCTION network.record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network.network FOR EACH ROW EXECUTE FUNCTION network.record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network.policy FOR EACH ROW EXECUTE FUNCTION network.record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network.member FOR EACH ROW EXECUTE FUNCTION network.record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network.resource FOR EACH ROW EXECUTE FUNCTION network.record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network.resource_group FOR EACH ROW EXECUTE FUNCTION network.record_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON network.router FOR EACH ROW EXECUTE FUNCTION network.record_change();
-- A peer's keys and reports are no part of the graph.
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF label ON network.peer FOR EACH ROW EXECUTE FUNCTION network.record_change();
