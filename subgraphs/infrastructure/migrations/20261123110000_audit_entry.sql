-- Who changed what by mutations. Creates a table only: instant on any database.

CREATE TABLE infrastructure.audit_entry (
  -- 0: a service or nobody.
  user_id integer NOT NULL,
  -- In the order of created_at (UUID version 7).
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  mutation text NOT NULL,
  caller text NOT NULL CHECK (caller IN ('SESSION', 'API_TOKEN', 'SERVICE_TOKEN', 'ANONYMOUS')),
  token_id text,
  request_id text NOT NULL,
  client_address text NOT NULL,
  user_agent text,
  argument_ids jsonb NOT NULL,
  result_ids jsonb NOT NULL,
  PRIMARY KEY (user_id, id)
);
-- For the job that deletes old entries.
CREATE INDEX audit_entry_created_at ON infrastructure.audit_entry USING brin (created_at);

CREATE FUNCTION infrastructure.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'audit_append_only';
END $$;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR TRUNCATE ON infrastructure.audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION infrastructure.refuse_audit_change();
-- Only the job that deletes old entries says how old they are.
CREATE TRIGGER audit_entry_kept BEFORE DELETE ON infrastructure.audit_entry FOR EACH ROW
  WHEN (old.created_at >= coalesce(nullif(current_setting('archipelago.audit_before', true), ''), '-infinity')::timestamptz)
  EXECUTE FUNCTION infrastructure.refuse_audit_change();
