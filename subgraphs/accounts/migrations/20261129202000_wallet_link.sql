-- The user to whose account a challenge links a wallet; null for a sign-in. Adds a column without a value: ACCESS EXCLUSIVE for an instant.

ALTER TABLE accounts.challenge ADD COLUMN link_user_id integer;
