-- Overlay certificates are found by their user first. The keys replace the index by user. Builds them once, hundreds of thousands of
-- rows a second.

DROP INDEX infrastructure.overlay_certificate_by_user;
ALTER TABLE infrastructure.overlay_certificate
  DROP CONSTRAINT overlay_certificate_pkey,
  DROP CONSTRAINT overlay_certificate_reference_key,
  ADD PRIMARY KEY (user_id, id),
  ADD CONSTRAINT overlay_certificate_reference UNIQUE (user_id, reference);
