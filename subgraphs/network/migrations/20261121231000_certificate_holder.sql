-- Certificates of machines that fetch no configuration by themselves, and authorities that follow each other before the one
-- before has ended. A new table, and columns that are null or constant: instant on any database.

CREATE TABLE network.certificate_holder (
  -- As whoever asked for the certificate calls it.
  reference uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES network.tenant,
  -- Null: the peer is gone, and its certificates with it. The row stays, so that a late repetition makes no other.
  peer_id integer,
  -- Grows with each key; what asks for an older one comes too late.
  key_number integer NOT NULL,
  issued_at timestamptz,
  -- The authority's fingerprint.
  issuer text,
  created_at timestamptz NOT NULL,
  CONSTRAINT certificate_holder_peer FOREIGN KEY (tenant_id, peer_id) REFERENCES network.peer (tenant_id, id) ON DELETE SET NULL (peer_id)
);
CREATE INDEX certificate_holder_of_peer ON network.certificate_holder (tenant_id, peer_id);

ALTER TABLE network.authority
  -- Trusted from the start, but it signs from then only: every machine has heard of it. Null: from the start.
  ADD COLUMN signs_from timestamptz,
  -- Not trusted any more, although it has not ended. Null: as long as it lasts.
  ADD COLUMN retires_at timestamptz,
  -- What readers of the graph were told of it.
  ADD COLUMN told_phase text NOT NULL DEFAULT 'in_use' CHECK (told_phase IN ('announced', 'in_use', 'retired'));
