-- Authorities and certificates are found by their tenant first. Builds the keys once, hundreds of thousands of rows a second.

ALTER TABLE network.authority
  DROP CONSTRAINT authority_pkey,
  DROP CONSTRAINT authority_fingerprint_key,
  ADD PRIMARY KEY (tenant_id, id),
  ADD CONSTRAINT authority_fingerprint UNIQUE (tenant_id, fingerprint);
ALTER TABLE network.issued_certificate DROP CONSTRAINT issued_certificate_pkey, ADD PRIMARY KEY (tenant_id, fingerprint);
ALTER TABLE network.revoked_certificate DROP CONSTRAINT revoked_certificate_pkey, ADD PRIMARY KEY (tenant_id, fingerprint);
