-- The sandbox payment processor's books. Creates tables only: instant on any database.

CREATE TABLE accounts.sandbox_setting (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);

-- Every object of the processor's API as it is answered, with the keys it is looked up by.
CREATE TABLE accounts.sandbox_object (
  id text PRIMARY KEY,
  kind text NOT NULL,
  customer text,
  object jsonb NOT NULL,
  -- What the processor knows of it and does not answer.
  hidden jsonb NOT NULL DEFAULT '{}',
  -- When something happens to it by itself, by the clock of its customer.
  due_at timestamptz,
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_object_kind ON accounts.sandbox_object (kind, position);
CREATE INDEX sandbox_object_customer ON accounts.sandbox_object (customer, kind) WHERE customer IS NOT NULL;
CREATE INDEX sandbox_object_due ON accounts.sandbox_object (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sandbox_object_fields ON accounts.sandbox_object USING gin (object jsonb_path_ops);

-- What was answered to a request with an Idempotency-Key.
CREATE TABLE accounts.sandbox_request (
  key text PRIMARY KEY,
  fingerprint text NOT NULL,
  status integer NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_request_age ON accounts.sandbox_request (created_at);

CREATE TABLE accounts.sandbox_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL REFERENCES accounts.sandbox_object,
  customer text,
  url text NOT NULL,
  -- How it is sent: with which secret, how late, failing how often.
  manner jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL CHECK (state IN ('held', 'waiting', 'delivered', 'failed', 'dropped')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_delivery_event ON accounts.sandbox_delivery (event_id, id);
CREATE INDEX sandbox_delivery_held ON accounts.sandbox_delivery (id) WHERE state = 'held';

CREATE TABLE accounts.sandbox_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES accounts.sandbox_delivery,
  -- Null where nobody answered.
  status integer,
  answer text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX sandbox_attempt_delivery ON accounts.sandbox_attempt (delivery_id, id);
