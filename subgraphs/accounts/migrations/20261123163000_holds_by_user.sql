-- Holds are found by their user first. The source and reference of a hold, by which other subgraphs settle and release it, stay unique
-- over all users. Builds the key once, under a lock that stops holds: not measured on a full table.

ALTER TABLE accounts.hold DROP CONSTRAINT hold_pkey, ADD PRIMARY KEY (user_id, id);
