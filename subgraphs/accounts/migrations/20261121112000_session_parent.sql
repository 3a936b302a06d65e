-- A session that was begun with another ends with it; referrals are counted by who brought. Instant on small tables.

ALTER TABLE accounts.session ADD COLUMN parent_id uuid REFERENCES accounts.session ON DELETE SET NULL;
CREATE INDEX session_parent ON accounts.session (parent_id);
CREATE INDEX user_referred_by ON accounts.user (referred_by);
