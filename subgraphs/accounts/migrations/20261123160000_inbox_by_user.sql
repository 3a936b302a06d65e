-- Sessions, notifications, webhook endpoints, deliveries and usage records are found by their user first: (user_id, id) is their primary
-- key, and deliveries get the user. The primary key of an API token is its hash, which is known before its user. Fills deliveries and
-- builds the keys once, under locks that stop sign-ins and notifications: not measured on full tables.

ALTER TABLE accounts.delivery ADD COLUMN user_id integer;
UPDATE accounts.delivery d SET user_id = n.user_id FROM accounts.notification n WHERE n.id = d.notification_id;

ALTER TABLE accounts.delivery
  ALTER COLUMN user_id SET NOT NULL,
  DROP CONSTRAINT delivery_notification_id_fkey,
  DROP CONSTRAINT delivery_endpoint_id_fkey,
  DROP CONSTRAINT delivery_once,
  DROP CONSTRAINT delivery_pkey,
  ADD PRIMARY KEY (user_id, id),
  ADD CONSTRAINT delivery_once UNIQUE NULLS NOT DISTINCT (user_id, notification_id, endpoint_id);
ALTER TABLE accounts.notification DROP CONSTRAINT notification_pkey, ADD PRIMARY KEY (user_id, id);
ALTER TABLE accounts.webhook_endpoint DROP CONSTRAINT webhook_endpoint_pkey, ADD PRIMARY KEY (user_id, id);
ALTER TABLE accounts.delivery
  ADD FOREIGN KEY (user_id, notification_id) REFERENCES accounts.notification,
  ADD FOREIGN KEY (user_id, endpoint_id) REFERENCES accounts.webhook_endpoint ON DELETE CASCADE;
-- The primary key begins with the user too.
DROP INDEX accounts.notification_user, accounts.delivery_endpoint;
CREATE INDEX delivery_endpoint ON accounts.delivery (user_id, endpoint_id, id DESC);

ALTER TABLE accounts.usage_record DROP CONSTRAINT usage_record_pkey, ADD PRIMARY KEY (user_id, id);

-- Administrators name a session by its id alone, so its key begins with the id.
ALTER TABLE accounts.refresh_token DROP CONSTRAINT refresh_token_user_id_session_id_fkey;
ALTER TABLE accounts.session DROP CONSTRAINT session_user_id_parent_id_fkey;
ALTER TABLE accounts.session DROP CONSTRAINT session_of_user, DROP CONSTRAINT session_pkey, ADD PRIMARY KEY (id, user_id);
ALTER TABLE accounts.session
  ADD FOREIGN KEY (user_id, parent_id) REFERENCES accounts.session (user_id, id) ON DELETE SET NULL (parent_id);
ALTER TABLE accounts.refresh_token
  ADD FOREIGN KEY (user_id, session_id) REFERENCES accounts.session (user_id, id) ON DELETE CASCADE;

-- The token of a service has no user, so that (user_id, id) cannot be its primary key.
ALTER TABLE accounts.token DROP CONSTRAINT token_pkey, DROP CONSTRAINT token_hash_key, ADD PRIMARY KEY (hash);

-- Administrators name a token by its id alone too.
CREATE INDEX token_by_id ON accounts.token (id);
