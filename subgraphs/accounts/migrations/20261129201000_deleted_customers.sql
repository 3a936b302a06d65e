-- When a customer record was found to be deleted at the payment processor. Adds a column without a default: ACCESS EXCLUSIVE on the table
-- for an instant.

ALTER TABLE accounts.customer ADD COLUMN deleted_at timestamptz;
