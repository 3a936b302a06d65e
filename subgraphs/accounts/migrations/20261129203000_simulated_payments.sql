-- Whether a card payment was made with the sandbox's test money. Null for payments so far, and for those that the previous version adds.
-- Adds a column without a default: ACCESS EXCLUSIVE on the table for an instant.

ALTER TABLE accounts.payment ADD COLUMN is_simulated boolean;
