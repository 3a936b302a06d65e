-- A row that the change wrote several times is undone once, from its last state to its first; one that the change created and
-- deleted is left alone. Groups and networks that the change created are deleted last, because a row that stays may have moved to them.

CREATE OR REPLACE FUNCTION network.undo_change(undone bigint, owner integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  item record;
  key text;
  columns text;
  touched integer;
BEGIN
  FOR item IN
    SELECT n.* FROM (
      SELECT max(i.id) AS id, i.kind, (array_agg(i.before ORDER BY i.id))[1] AS before, (array_agg(i.after ORDER BY i.id DESC))[1] AS after
        FROM network.change_item i, LATERAL (SELECT coalesce(i.after, i.before) AS row) r
       WHERE i.tenant_id = owner AND i.change_id = undone
       GROUP BY i.kind, CASE i.kind WHEN 'member' THEN concat(r.row ->> 'group_id', '-', r.row ->> 'peer_id')
                                    WHEN 'resource_group' THEN concat(r.row ->> 'resource_id', '-', r.row ->> 'group_id')
                                    ELSE r.row ->> 'id' END) n
     WHERE before IS NOT NULL OR after IS NOT NULL
     ORDER BY CASE WHEN before IS NULL AND kind IN ('group', 'network') THEN 3 WHEN before IS NULL THEN 0 WHEN after IS NULL THEN 1 ELSE 2 END,
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
