-- Deposits in crypto: addresses, payments seen on them, and how far each chain was read. Creates tables and a column with
-- a constant default: instant on any database.

-- BIP-32 knows indices below 2^31 for keys that are derived from a public key. Shared by the chains; never given twice.
CREATE SEQUENCE accounts.deposit_index AS integer MINVALUE 0 START 0 NO CYCLE;

CREATE TABLE accounts.deposit (
  transaction_id uuid PRIMARY KEY REFERENCES accounts.transaction,
  derivation_index integer NOT NULL UNIQUE CHECK (derivation_index >= 0),
  chain text NOT NULL CHECK (chain IN ('evm', 'substrate')),
  token text NOT NULL CHECK (token IN ('USDC', 'USDT', 'TAO')),
  address text NOT NULL UNIQUE,
  -- In base units of the token, as are all amounts here.
  expected numeric(78,0) NOT NULL CHECK (expected > 0),
  received numeric(78,0) NOT NULL DEFAULT 0 CHECK (received >= 0),
  -- What the chain says the address holds; kept where payments are told by the balance.
  observed_balance numeric(78,0) NOT NULL DEFAULT 0 CHECK (observed_balance >= 0),
  -- US dollars for one token until the time beside it.
  quoted_price numeric(38,18) NOT NULL CHECK (quoted_price > 0),
  quoted_until timestamptz NOT NULL,
  value_usd numeric(38,18) NOT NULL DEFAULT 0 CHECK (value_usd >= 0),
  credits integer NOT NULL DEFAULT 0 CHECK (credits >= 0 AND credits <= value_usd),
  watched_until timestamptz NOT NULL
);
CREATE INDEX deposit_watched ON accounts.deposit (chain, watched_until);

CREATE TABLE accounts.deposit_payment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction_id uuid NOT NULL REFERENCES accounts.deposit,
  chain text NOT NULL,
  -- The same payment has the same, whatever block it is in.
  reference text NOT NULL,
  amount numeric(78,0) NOT NULL CHECK (amount > 0),
  token text NOT NULL,
  block_number integer NOT NULL,
  block_hash text NOT NULL,
  paid_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('seen', 'vanished', 'confirmed', 'credited')),
  value_usd numeric(38,18),
  credits integer,
  CONSTRAINT deposit_payment_once UNIQUE (chain, reference),
  CONSTRAINT deposit_payment_valued CHECK ((state = 'credited') = (value_usd IS NOT NULL AND credits IS NOT NULL))
);
CREATE INDEX deposit_payment_transaction ON accounts.deposit_payment (transaction_id, id);
CREATE INDEX deposit_payment_open ON accounts.deposit_payment (chain, block_number) WHERE state IN ('seen', 'confirmed');

-- Up to which block a chain was read; whoever reads on first compares this row and sets it with what was found.
CREATE TABLE accounts.deposit_cursor (
  chain text PRIMARY KEY,
  network text NOT NULL,
  block_number integer NOT NULL,
  block_hash text NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Ends of the ranges read last, by which a reorganisation is found.
CREATE TABLE accounts.deposit_block (
  chain text NOT NULL,
  block_number integer NOT NULL,
  block_hash text NOT NULL,
  PRIMARY KEY (chain, block_number)
);

ALTER TABLE accounts.token_price ADD COLUMN source text NOT NULL DEFAULT 'administrator'
  CONSTRAINT token_price_source CHECK (source IN ('administrator', 'feed'));
