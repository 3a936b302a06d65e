-- The ids in rows before a mutation deleted them or gave them other ids. Adds a column with a constant default and a function:
-- ACCESS EXCLUSIVE on the table for an instant, however many rows it has.

ALTER TABLE infrastructure.audit_entry ADD COLUMN previous_ids jsonb NOT NULL DEFAULT '[]';

-- Adds the ids that a row lost to those that the entry of the transaction takes. Arguments: the kind of the row, and its columns with ids.
CREATE FUNCTION infrastructure.record_previous_ids() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text := coalesce(current_setting('archipelago.previous_ids', true), '');
  before jsonb := to_jsonb(OLD);
  after jsonb := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END;
BEGIN
  -- 100 ids of the maximum length are shorter; an entry takes the first 100.
  IF length(ids) < 20000 AND EXISTS (SELECT FROM unnest(TG_ARGV[1:]) c WHERE before ->> c <> coalesce(after ->> c, '')) THEN
    SELECT ids || string_agg(format(',{"name": "%s.%s%s", "value": %s}', TG_ARGV[0], left(c, 1), substr(replace(initcap(c), '_', ''), 2),
                                    to_jsonb(before ->> c)), '' ORDER BY position)
      INTO ids FROM unnest(TG_ARGV[1:]) WITH ORDINALITY AS u (c, position) WHERE before ->> c IS NOT NULL;
    PERFORM set_config('archipelago.previous_ids', ids, true);
  END IF;
  RETURN NULL;
END $$;
