-- Which of several authorities made at once is the one, and every certificate that may still be in use. Both tables are new.
ALTER TABLE network.authority
  ADD COLUMN generation integer NOT NULL,
  ADD CONSTRAINT authority_generation UNIQUE (tenant_id, generation);
DROP INDEX network.authority_of_tenant;

CREATE TABLE network.issued_certificate (
  fingerprint text PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  -- Null: of the platform's own lighthouse. No reference, so that it can be read when the peer is gone.
  peer_id integer,
  subnets text[] NOT NULL,
  not_after timestamptz NOT NULL
);
CREATE INDEX issued_certificate_of_peer ON network.issued_certificate (tenant_id, peer_id);

-- However a peer goes, everything that was issued for it is refused from then on, also what it renewed since.
CREATE FUNCTION network.revoke_certificates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO network.revoked_certificate (fingerprint, tenant_id, not_after, revoked_at)
  SELECT fingerprint, tenant_id, not_after, now() FROM network.issued_certificate
   WHERE tenant_id = OLD.tenant_id AND peer_id = OLD.id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER revoke_certificates AFTER DELETE ON network.peer FOR EACH ROW EXECUTE FUNCTION network.revoke_certificates();
