-- The group of the platform's own machines has a label that no user can take. Checks every group once, tens of thousands a second.
ALTER TABLE network."group"
  DROP CONSTRAINT group_label_check,
  ADD CONSTRAINT group_label_check CHECK (label ~ '^[a-z0-9-]{1,50}$' OR (is_infra AND label = '_infra'));
