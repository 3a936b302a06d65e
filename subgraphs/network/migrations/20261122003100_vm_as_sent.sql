-- A VM instance is answered as it was sent: an integer or a string. Adds a column without values: instant. What was
-- attached before is answered by its uuid.
ALTER TABLE network.infra_enrollment ADD COLUMN vm_sent jsonb;
