-- The ids in rows before a mutation deleted them or gave them other ids. Adds a column with a constant default and functions:
-- ACCESS EXCLUSIVE on the table for an instant, however many rows it has.

ALTER TABLE network.audit_entry ADD COLUMN previous_ids jsonb NOT NULL DEFAULT '[]';

-- Adds the ids that a row lost to those that the entry of the transaction takes.
CREATE FUNCTION network.add_previous_ids(kind text, before jsonb, after jsonb, columns text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids text := coalesce(current_setting('archipelago.previous_ids', true), '');
BEGIN
  -- 100 ids of the maximum length are shorter; an entry takes the first 100.
  IF length(ids) < 20000 AND EXISTS (SELECT FROM unnest(columns) c WHERE before ->> c <> coalesce(after ->> c, '')) THEN
    SELECT ids || string_agg(format(',{"name": "%s.%s%s", "value": %s}', kind, left(c, 1), substr(replace(initcap(c), '_', ''), 2),
                                    to_jsonb(before ->> c)), '' ORDER BY position)
      INTO ids FROM unnest(columns) WITH ORDINALITY AS u (c, position) WHERE before ->> c IS NOT NULL;
    PERFORM set_config('archipelago.previous_ids', ids, true);
  END IF;
END $$;

-- For tables outside the history. Arguments: the kind of the row, and its columns with ids.
CREATE FUNCTION network.record_previous_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM network.add_previous_ids(TG_ARGV[0], to_jsonb(OLD), CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END, TG_ARGV[1:]);
  RETURN NULL;
END $$;

-- As before, but that it adds the ids that a row lost, without members of the platform's own group, which is never shown.
CREATE OR REPLACE FUNCTION network.record_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text := current_setting('network.change', true);
  secrets text[] := '{public_key,token_hash,certificate}';
BEGIN
  IF change IS NULL OR change = '' OR (TG_OP = 'UPDATE' AND to_jsonb(OLD) = to_jsonb(NEW)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO network.change_item (tenant_id, change_id, kind, before, after)
  VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.tenant_id ELSE NEW.tenant_id END, change::bigint, TG_TABLE_NAME,
          CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE to_jsonb(OLD) - secrets END,
          CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) - secrets END);
  IF TG_OP <> 'INSERT' AND (TG_TABLE_NAME <> 'member' OR NOT EXISTS (SELECT FROM network."group" g
       WHERE g.tenant_id = OLD.tenant_id AND g.id = (to_jsonb(OLD) ->> 'group_id')::integer AND g.is_infra)) THEN
    PERFORM network.add_previous_ids(
      CASE TG_TABLE_NAME WHEN 'resource_group' THEN 'resourceGroup' ELSE TG_TABLE_NAME END,
      to_jsonb(OLD), CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END,
      '{id,group_id,peer_id,resource_id,network_id,source_group_id,dest_group_id}');
  END IF;
  RETURN NULL;
END $$;
