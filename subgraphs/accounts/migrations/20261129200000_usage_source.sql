-- Who recorded a usage: the platform does not overwrite what a validator reported. Null for records of earlier versions, which overwrite each
-- other as before. Adds a column without a value and a check that reads the table: ACCESS EXCLUSIVE while 1 million records are read once.

ALTER TABLE accounts.usage_record ADD COLUMN source text
  CONSTRAINT usage_record_source CHECK (source IN ('validator', 'platform'));
