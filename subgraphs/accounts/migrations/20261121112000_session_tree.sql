-- Which session a session was begun from. Adds an empty column and its index: as long as it takes to read accounts.session.

ALTER TABLE accounts.session ADD COLUMN parent_id uuid REFERENCES accounts.session ON DELETE SET NULL;
CREATE INDEX session_parent ON accounts.session (parent_id);
