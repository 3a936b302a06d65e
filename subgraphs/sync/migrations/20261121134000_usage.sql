-- The price of storage, what is stored by folder, and the days that were recorded. Adds stored bytes up once, under a lock on
-- the folders: about a minute for ten million files.

-- Every price that was ever set; the last one is in force.
CREATE TABLE sync.storage_price (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: storage is free.
  credits_per_gib_month numeric(38,18) CHECK (credits_per_gib_month > 0),
  set_by text NOT NULL,
  created_at timestamptz NOT NULL
);

ALTER TABLE sync.folder ADD COLUMN stored_bytes numeric(20, 0) NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0);
COMMENT ON COLUMN sync.folder.stored_bytes IS 'Bytes of ciphertext of all its files.';
UPDATE sync.folder d SET stored_bytes = s.bytes
  FROM (SELECT f.folder_id, sum(b.size_bytes) AS bytes FROM sync.file f JOIN sync.blob b ON b.id = f.blob_id GROUP BY 1) s
 WHERE s.folder_id = d.id;

-- Days, in UTC, whose periods were made.
CREATE TABLE sync.storage_day (
  day date PRIMARY KEY,
  closed_at timestamptz NOT NULL
);

-- What an owner stored on a day, as accounts is told: the figures never change, so that telling it twice is telling it once.
CREATE TABLE sync.storage_period (
  owner_id bigint NOT NULL REFERENCES sync.owner,
  day date NOT NULL,
  stored_bytes bigint NOT NULL CHECK (stored_bytes > 0),
  -- In force when the day was closed; null: free.
  credits_per_gib_month numeric(38,18),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'recorded', 'no_account', 'refused')),
  CONSTRAINT storage_period_once PRIMARY KEY (day, owner_id)
);
CREATE INDEX storage_period_open ON sync.storage_period (day, owner_id) WHERE state = 'open';

-- Since when accounts is known to have no account of this address.
ALTER TABLE sync.owner ADD COLUMN unknown_since timestamptz;
