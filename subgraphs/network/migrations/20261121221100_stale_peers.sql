-- Whether readers of the graph were told that a peer is stale. A constant default: instant on any database.
ALTER TABLE network.peer ADD COLUMN is_told_stale boolean NOT NULL DEFAULT false;
