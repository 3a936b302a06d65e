-- Customer records that an administrator unlinked from a user, so that later events do not link them again. Creates an empty table:
-- instant on any database.

CREATE TABLE accounts.unlinked_customer (
  user_id integer REFERENCES accounts.user,
  processor_customer_id text,
  unlinked_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, processor_customer_id)
);
