-- What is paid, by card or in crypto, and what users are told. Creates tables only: instant on any database.

CREATE TABLE accounts.transaction (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id integer NOT NULL REFERENCES accounts.user,
  payment_type text NOT NULL CHECK (payment_type IN ('payproc', 'crypto')),
  amount numeric(38,18) NOT NULL CHECK (amount >= 0),
  currency text NOT NULL CHECK (currency IN ('USD', 'USDC', 'USDT', 'TAO')),
  credits integer NOT NULL CHECK (credits >= 0),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'payment_confirmed', 'completed', 'failed', 'expired', 'refunded', 'disputed')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  completed_at timestamptz,
  expires_at timestamptz,
  payment_address text UNIQUE,
  substrate_block_number integer,
  substrate_success boolean
);
CREATE INDEX transaction_user ON accounts.transaction (user_id, created_at DESC, id);

CREATE TABLE accounts.notification (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES accounts.user,
  kind text NOT NULL,
  key text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  link text,
  created_at timestamptz NOT NULL,
  read_at timestamptz,
  CONSTRAINT notification_once UNIQUE (user_id, key)
);
CREATE INDEX notification_user ON accounts.notification (user_id, id DESC);
