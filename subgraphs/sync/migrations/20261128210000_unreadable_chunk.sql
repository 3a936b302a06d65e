-- Chunks that the disk could not read are listed too. Compares the few rows of the table with the new constraint: instant.

ALTER TABLE sync.damaged_chunk DROP CONSTRAINT damaged_chunk_damage_check,
  ADD CONSTRAINT damaged_chunk_damage_check CHECK (damage IN ('ALTERED', 'MISSING', 'UNREADABLE'));
