-- What the owner of a network was notified of. Constant defaults, an empty index, and one update of joined peers: they are
-- known already, so that an upgrade notifies nobody.
ALTER TABLE network.tenant ADD COLUMN notified_at timestamptz;
ALTER TABLE network.change ADD COLUMN is_notified boolean NOT NULL DEFAULT true;
ALTER TABLE network.change ALTER COLUMN is_notified SET DEFAULT false;
CREATE INDEX change_not_notified ON network.change (tenant_id) WHERE NOT is_notified;

ALTER TABLE network.peer
  ADD COLUMN notified_presence text CHECK (notified_presence IN ('online', 'offline')),
  ADD COLUMN notified_not_after timestamptz;
UPDATE network.peer
   SET notified_presence = CASE WHEN coalesce(last_seen, joined_at) < now() - interval '10 minutes' THEN 'offline' ELSE 'online' END,
       notified_not_after = certificate_not_after
 WHERE joined_at IS NOT NULL;
