-- Chains of the sandbox, on which deposits are paid with play money. Creates tables and an index, and replaces checks of two
-- tables, which reads them once under a lock.

-- Blocks from 0 on without a gap; a reorganisation replaces the newest.
CREATE TABLE accounts.sandbox_block (
  chain text NOT NULL CHECK (chain IN ('sandbox-evm', 'sandbox-substrate')),
  number integer NOT NULL CHECK (number >= 0),
  hash text NOT NULL,
  mined_at timestamptz NOT NULL,
  PRIMARY KEY (chain, number),
  UNIQUE (chain, hash)
);

CREATE TABLE accounts.sandbox_transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain text NOT NULL,
  hash text NOT NULL,
  -- Null: a reorganisation has removed it from the chain.
  block_number integer,
  token text NOT NULL,
  -- As the chain writes it: 0x and 40 digits in lower case, or the 64 digits of a public key.
  recipient text NOT NULL,
  amount numeric(78,0) NOT NULL CHECK (amount > 0),
  UNIQUE (chain, hash),
  -- A block holds one transfer, so that it is always the first log of its block.
  UNIQUE (chain, block_number)
);
CREATE INDEX sandbox_transfer_recipient ON accounts.sandbox_transfer (chain, recipient, id);

ALTER TABLE accounts.deposit DROP CONSTRAINT deposit_chain_check,
  ADD CONSTRAINT deposit_chain_check CHECK (chain IN ('evm', 'substrate', 'sandbox-evm', 'sandbox-substrate'));

ALTER TABLE accounts.token_price DROP CONSTRAINT token_price_source,
  ADD CONSTRAINT token_price_source CHECK (source IN ('administrator', 'feed', 'sandbox'));
CREATE UNIQUE INDEX token_price_sandbox ON accounts.token_price (source) WHERE source = 'sandbox';
