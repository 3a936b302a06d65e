-- What each folder stored on a day, so that its share of the charge of that day can be shown. Creates a table only: instant on any
-- database. Days that are closed have no shares.

CREATE TABLE sync.folder_period (
  folder_id bigint NOT NULL REFERENCES sync.folder ON DELETE CASCADE,
  day date NOT NULL,
  stored_bytes bigint NOT NULL CHECK (stored_bytes > 0),
  CONSTRAINT folder_period_once PRIMARY KEY (folder_id, day)
);
CREATE INDEX folder_period_by_day ON sync.folder_period (day);
