-- Names that say what a row asks for: should_run, requested_key, and holds that are requested.
ALTER TABLE infrastructure.vm_billing RENAME COLUMN is_wanted TO should_run;
ALTER TABLE infrastructure.overlay_certificate RENAME COLUMN wanted_key TO requested_key;
ALTER TABLE infrastructure.vm_billing DROP CONSTRAINT vm_billing_hold_state_check;
UPDATE infrastructure.vm_billing SET hold_state = 'requested' WHERE hold_state = 'wanted';
ALTER TABLE infrastructure.vm_billing
  ADD CONSTRAINT vm_billing_hold_state_check CHECK (hold_state IN ('requested', 'open', 'closed'));
