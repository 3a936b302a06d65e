-- Who made a change that is in the log of another user. Adds empty columns and replaces a check without reading the rows:
-- ACCESS EXCLUSIVE on the table for an instant, however many rows it has.

ALTER TABLE infrastructure.audit_entry
  -- Null: the user of the log, or nobody.
  ADD COLUMN actor text,
  -- Null also for a service.
  ADD COLUMN actor_id integer,
  -- Null: a call of the platform.
  ALTER COLUMN client_address DROP NOT NULL,
  ADD CONSTRAINT audit_entry_actor CHECK (actor IN ('ADMINISTRATOR', 'SERVICE', 'PLATFORM', 'USER')) NOT VALID,
  DROP CONSTRAINT audit_entry_caller_check,
  ADD CONSTRAINT audit_entry_caller_check
    CHECK (caller IN ('SESSION', 'API_TOKEN', 'SERVICE_TOKEN', 'ANONYMOUS', 'PLATFORM')) NOT VALID;
