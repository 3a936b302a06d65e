-- The money of an invoice with its taxes: refunds and disputes are parts of it. Null for payments so far, for those that the previous
-- version adds and for those without an invoice: their money is that in cents. Adds a column without a default: ACCESS EXCLUSIVE on the
-- table for an instant.

ALTER TABLE accounts.payment ADD COLUMN charged_cents bigint;
