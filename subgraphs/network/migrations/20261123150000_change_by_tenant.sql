-- A change and its rows are found by their tenant first, so that the history of a tenant can lie on one node. The key replaces the
-- index of rows by change. Writes every row of the history once, about a hundred thousand a second.

ALTER TABLE network.change_item
  DROP CONSTRAINT change_item_change_id_fkey,
  DROP CONSTRAINT change_item_pkey,
  ADD COLUMN tenant_id integer;
DROP INDEX network.change_item_of_change;
UPDATE network.change_item i SET tenant_id = c.tenant_id FROM network.change c WHERE c.id = i.change_id;

ALTER TABLE network.change
  DROP CONSTRAINT change_undoes_fkey,
  DROP CONSTRAINT change_undoes_key,
  DROP CONSTRAINT change_pkey,
  ADD PRIMARY KEY (tenant_id, id),
  ADD CONSTRAINT change_undoes UNIQUE (tenant_id, undoes);
ALTER TABLE network.change
  ADD CONSTRAINT change_undone FOREIGN KEY (tenant_id, undoes) REFERENCES network.change;
ALTER TABLE network.change_item
  ADD PRIMARY KEY (tenant_id, change_id, id),
  ADD CONSTRAINT change_item_change FOREIGN KEY (tenant_id, change_id) REFERENCES network.change ON DELETE CASCADE;

-- As before, but that a row names its tenant, which every recorded table has.
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
  RETURN NULL;
END $$;

-- As before, but that the rows of a change are those of its tenant.
CREATE OR REPLACE FUNCTION network.undo_change(undone bigint, owner integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  item network.change_item;
  key text;
  columns text;
  touched integer;
BEGIN
  FOR item IN
    SELECT * FROM network.change_item WHERE tenant_id = owner AND change_id = undone
     ORDER BY CASE WHEN before IS NULL THEN 0 WHEN after IS NULL THEN 1 ELSE 2 END,
              CASE WHEN after IS NULL THEN array_position('{group,network,policy,resource,member,resource_group,router}', kind) END,
              id DESC
  LOOP
    key := CASE item.kind WHEN 'member' THEN 'group_id, peer_id' WHEN 'resource_group' THEN 'resource_id, group_id' ELSE 'id' END;
    IF item.before IS NULL THEN
      EXECUTE format('DELETE FROM network.%1$I WHERE tenant_id = $2 AND (%2$s) = (SELECT %2$s FROM jsonb_populate_record(NULL::network.%1$I, $1))',
                     item.kind, key) USING item.after, owner;
    ELSIF item.after IS NULL THEN
      EXECUTE format('INSERT INTO network.%1$I OVERRIDING SYSTEM VALUE SELECT r.* FROM jsonb_populate_record(NULL::network.%1$I, $1) r WHERE r.tenant_id = $2',
                     item.kind) USING '{"enabled": true}'::jsonb || item.before, owner;
    ELSE
      SELECT string_agg(quote_ident(k), ', ') INTO columns
        FROM jsonb_object_keys(item.before) k WHERE item.before -> k IS DISTINCT FROM item.after -> k AND (item.kind <> 'peer' OR k = 'label');
      CONTINUE WHEN columns IS NULL;
      EXECUTE format('UPDATE network.%1$I SET (%2$s) = ROW (%3$s) FROM jsonb_populate_record(NULL::network.%1$I, $1) r WHERE network.%1$I.tenant_id = $2 AND network.%1$I.id = r.id',
                     item.kind, columns, (SELECT string_agg('r.' || c, ', ') FROM unnest(string_to_array(columns, ', ')) c)) USING item.before, owner;
    END IF;
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched <> 1 THEN
      RAISE EXCEPTION 'a % is not as the change left it', item.kind USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'change_item_undo';
    END IF;
  END LOOP;
END $$;
