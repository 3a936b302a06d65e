-- Which keys encrypt secrets of this schema. Creates a table only: instant on any database.

CREATE TABLE infrastructure.data_key (
  -- There is one row.
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- They tell nothing about the keys.
  ids text[] NOT NULL
);
