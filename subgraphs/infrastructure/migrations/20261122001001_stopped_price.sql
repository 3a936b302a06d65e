-- What an hour of being stopped costs: nothing, unless the flavor says so. Columns with a constant default, and indexes over the
-- machines that cost something: short on any table.

ALTER TABLE infrastructure.vm_flavor ADD COLUMN stopped_credits_per_hour numeric(38,18) NOT NULL DEFAULT 0,
  ADD CONSTRAINT vm_flavor_stopped_price CHECK (stopped_credits_per_hour >= 0 AND stopped_credits_per_hour <= credits_per_hour);

ALTER TABLE infrastructure.vm_billing
  ADD COLUMN stopped_credits_per_hour numeric(38,18) NOT NULL DEFAULT 0 CHECK (stopped_credits_per_hour >= 0),
  -- Milliseconds that it was stopped and paid for; the present ones began at stopped_since, null while nothing pays.
  ADD COLUMN stopped_ms bigint NOT NULL DEFAULT 0 CHECK (stopped_ms >= 0),
  ADD COLUMN stopped_since timestamptz,
  -- Whether it is stopped at a price.
  ADD COLUMN is_kept boolean NOT NULL DEFAULT false,
  -- Until when nothing is set aside for it while it is stopped, as a start is about to.
  ADD COLUMN start_until timestamptz,
  ADD CONSTRAINT vm_billing_one_price CHECK (stopped_since IS NULL OR (is_kept AND running_since IS NULL));

DROP INDEX infrastructure.vm_billing_active;
CREATE INDEX vm_billing_active ON infrastructure.vm_billing (instance_id)
  WHERE running_since IS NOT NULL OR is_kept OR hold_state <> 'closed' OR charge_credits IS NOT NULL;
DROP INDEX infrastructure.vm_billing_running;
CREATE INDEX vm_billing_costing ON infrastructure.vm_billing (user_id)
  WHERE running_since IS NOT NULL OR stopped_since IS NOT NULL;
