-- Refresh tokens name their user, and sessions refer to sessions and tokens of the same user only. Rewrites refresh tokens once and
-- builds six indexes, under locks that stop sign-ins and refreshes: not measured on a full table.

ALTER TABLE accounts.refresh_token ADD COLUMN user_id integer;
UPDATE accounts.refresh_token r SET user_id = s.user_id FROM accounts.session s WHERE s.id = r.session_id;

ALTER TABLE accounts.refresh_token
  ALTER COLUMN user_id SET NOT NULL,
  DROP CONSTRAINT refresh_token_session_id_fkey,
  DROP CONSTRAINT refresh_token_pkey,
  ADD PRIMARY KEY (user_id, hash);
ALTER TABLE accounts.session
  DROP CONSTRAINT session_parent_id_fkey,
  DROP CONSTRAINT session_token_id_fkey,
  ADD CONSTRAINT session_of_user UNIQUE (user_id, id);
ALTER TABLE accounts.token ADD CONSTRAINT token_of_user UNIQUE (user_id, id);

-- The unique keys begin with the user too.
DROP INDEX accounts.session_holder, accounts.token_user, accounts.session_parent, accounts.session_token, accounts.refresh_token_session;
CREATE INDEX session_parent ON accounts.session (user_id, parent_id);
CREATE INDEX session_token ON accounts.session (user_id, token_id);
CREATE INDEX refresh_token_session ON accounts.refresh_token (user_id, session_id);

ALTER TABLE accounts.session
  ADD FOREIGN KEY (user_id, parent_id) REFERENCES accounts.session (user_id, id) ON DELETE SET NULL (parent_id),
  ADD FOREIGN KEY (user_id, token_id) REFERENCES accounts.token (user_id, id);
ALTER TABLE accounts.refresh_token
  ADD FOREIGN KEY (user_id, session_id) REFERENCES accounts.session (user_id, id) ON DELETE CASCADE;
