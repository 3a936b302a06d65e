-- Buckets of users, the sub-tokens that may use them, and what the store was told of it. New tables: instant on any database.

CREATE TABLE infrastructure.bucket (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  name text NOT NULL CONSTRAINT bucket_name UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'),
  -- Whether the store was seen to have no such bucket before it was asked to make it, and whether it has it.
  is_absent_seen boolean NOT NULL DEFAULT false,
  is_made boolean NOT NULL DEFAULT false,
  -- Grows with each change of what its policy has to say; the one that the store was last told, and what that was.
  access_revision integer NOT NULL DEFAULT 1,
  written_revision integer NOT NULL DEFAULT 0,
  written text,
  -- What was found when the store was last looked at.
  found text,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'in_sync', 'drifted', 'missing', 'refused', 'unreachable')),
  fault text,
  checked_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT bucket_of_user UNIQUE (user_id, id)
);

CREATE TABLE infrastructure.sub_token (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  parent_id integer,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  access_key_id text NOT NULL UNIQUE,
  -- SHA-256; the secret itself is shown once.
  secret_hash text NOT NULL,
  last_four text NOT NULL,
  is_all_buckets boolean NOT NULL,
  actions text[] NOT NULL CHECK (cardinality(actions) > 0 AND actions <@ '{read,write}'),
  -- Empty: every key.
  prefixes text[] NOT NULL,
  -- CIDRs; empty: from everywhere.
  addresses text[] NOT NULL,
  not_before timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT sub_token_of_user UNIQUE (user_id, id),
  CONSTRAINT sub_token_parent FOREIGN KEY (user_id, parent_id) REFERENCES infrastructure.sub_token (user_id, id)
);

-- Over (user_id, id): PostgreSQL itself refuses a token for the bucket of another user.
CREATE TABLE infrastructure.sub_token_bucket (
  user_id integer NOT NULL,
  sub_token_id integer NOT NULL,
  bucket_id integer NOT NULL,
  PRIMARY KEY (sub_token_id, bucket_id),
  CONSTRAINT sub_token_bucket_token FOREIGN KEY (user_id, sub_token_id) REFERENCES infrastructure.sub_token (user_id, id),
  CONSTRAINT sub_token_bucket_bucket FOREIGN KEY (user_id, bucket_id) REFERENCES infrastructure.bucket (user_id, id)
);
