-- Which API tokens a user created by name, rather than by a sign-in: they have a limit of their own, and sign-ins do not end them. Those
-- so far, and those that the previous version adds, are not. Adds a column with a constant value: ACCESS EXCLUSIVE on the table for an
-- instant, however many rows it has.

ALTER TABLE accounts.token ADD COLUMN is_user_created boolean NOT NULL DEFAULT false;
