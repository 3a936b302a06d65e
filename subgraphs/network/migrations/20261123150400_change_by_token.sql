-- Which session or API token made a change. Adds a column without values: instant on any database.
ALTER TABLE network.change ADD COLUMN token_id text;
