-- When the command of the current state was first sent to the host; null: not yet. Adds a column without a value: instant.

ALTER TABLE infrastructure.vm_instance ADD COLUMN attempted_at timestamptz;
