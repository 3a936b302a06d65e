-- Enrollments of the platform's own machines: one each, whose command can be asked for again. Columns that are null: instant.

ALTER TABLE network.enrollment
  ADD COLUMN vm uuid CONSTRAINT enrollment_of_vm UNIQUE,
  -- What the machine runs to join, sealed.
  ADD COLUMN sealed_command text,
  ADD CONSTRAINT enrollment_vm_command CHECK ((vm IS NULL) = (sealed_command IS NULL));
