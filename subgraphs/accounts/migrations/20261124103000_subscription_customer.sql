-- Subscriptions are also found by their customer record. Builds an index: as long as it takes to read accounts.subscription, and
-- changes of subscriptions wait for it.

CREATE INDEX subscription_customer ON accounts.subscription (processor_customer_id);
