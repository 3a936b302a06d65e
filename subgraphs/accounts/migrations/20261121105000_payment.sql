-- Payments through the processor: its customers, plans, hosted pages, payments, subscriptions and events. Creates tables
-- only: instant on any database.

CREATE TABLE accounts.customer (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES accounts.user,
  processor_customer_id text UNIQUE,
  is_own boolean NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX customer_own ON accounts.customer (user_id) WHERE is_own;
CREATE INDEX customer_user ON accounts.customer (user_id);

CREATE TABLE accounts.plan (
  price_id text PRIMARY KEY,
  product_id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  cents bigint NOT NULL CHECK (cents > 0),
  currency text NOT NULL,
  "interval" text NOT NULL,
  interval_count integer NOT NULL,
  credits integer NOT NULL CHECK (credits > 0),
  is_offered boolean NOT NULL,
  fetched_at timestamptz NOT NULL
);

CREATE TABLE accounts.checkout (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES accounts.user,
  mode text NOT NULL CHECK (mode IN ('onetime', 'subscription')),
  request_key text NOT NULL,
  transaction_id uuid UNIQUE REFERENCES accounts.transaction ON DELETE CASCADE,
  price_id text REFERENCES accounts.plan,
  cents bigint NOT NULL CHECK (cents > 0),
  status text NOT NULL CHECK (status IN ('opening', 'open', 'complete', 'expired', 'failed')),
  session_id text UNIQUE,
  url text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  asked_at timestamptz
);
-- Who clicks twice gets the same page: decided here.
CREATE UNIQUE INDEX checkout_once ON accounts.checkout (user_id, request_key) WHERE status IN ('opening', 'open');
CREATE INDEX checkout_user ON accounts.checkout (user_id, created_at DESC);
CREATE INDEX checkout_open ON accounts.checkout (expires_at) WHERE status IN ('opening', 'open');

-- The processor's side of a transaction. Money is in cents, credits are exact.
CREATE TABLE accounts.payment (
  transaction_id uuid PRIMARY KEY REFERENCES accounts.transaction ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  payment_intent_id text UNIQUE,
  invoice_id text UNIQUE,
  subscription_id text,
  cents bigint NOT NULL CHECK (cents >= 0),
  credits numeric(38,18) NOT NULL CHECK (credits >= 0),
  reference text,
  refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  refunded_at timestamptz,
  taken numeric(38,18) NOT NULL DEFAULT 0 CHECK (taken >= 0 AND taken <= credits),
  reversals integer NOT NULL DEFAULT 0,
  flag text
);
CREATE INDEX payment_flagged ON accounts.payment (transaction_id) WHERE flag IS NOT NULL;

CREATE TABLE accounts.dispute (
  id text PRIMARY KEY,
  transaction_id uuid NOT NULL REFERENCES accounts.transaction,
  cents bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'won', 'lost'))
);
CREATE INDEX dispute_transaction ON accounts.dispute (transaction_id);

CREATE TABLE accounts.failed_refund (
  id text PRIMARY KEY,
  transaction_id uuid NOT NULL REFERENCES accounts.transaction
);

CREATE TABLE accounts.subscription (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES accounts.user,
  processor_subscription_id text NOT NULL UNIQUE,
  processor_customer_id text NOT NULL,
  price_id text NOT NULL,
  status text NOT NULL,
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean NOT NULL,
  event_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX subscription_user ON accounts.subscription (user_id, id DESC);

-- Every event for ever: the same event is processed once.
CREATE TABLE accounts.processor_event (
  id text PRIMARY KEY,
  type text NOT NULL,
  payload text NOT NULL,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('received', 'processed', 'ignored', 'parked', 'flagged')),
  waits_for text,
  note text
);
CREATE INDEX processor_event_waiting ON accounts.processor_event (waits_for, received_at) WHERE status IN ('parked', 'flagged');
CREATE INDEX processor_event_status ON accounts.processor_event (status, received_at DESC);

-- How far the processor's own list of events has been read.
CREATE TABLE accounts.reconciliation (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  seen_until timestamptz NOT NULL
);
