-- A group that is deleted vanishes from where it is named: used setup keys and attached machines of the platform. Keys of
-- attached machines name none where these are in none of their owner's. Checks every enrollment once, hundreds of thousands a second.

ALTER TABLE network.enrollment ALTER COLUMN group_id DROP NOT NULL;
UPDATE network.enrollment e SET group_id = NULL
 WHERE NOT EXISTS (SELECT FROM network."group" g WHERE g.tenant_id = e.tenant_id AND g.id = e.group_id);
ALTER TABLE network.enrollment
  ADD CONSTRAINT enrollment_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group" (tenant_id, id) ON DELETE SET NULL (group_id);
CREATE INDEX enrollment_by_group ON network.enrollment (tenant_id, group_id);

UPDATE network.infra_enrollment i SET group_id = NULL
 WHERE group_id IS NOT NULL
   AND NOT EXISTS (SELECT FROM network."group" g WHERE g.tenant_id = i.tenant_id AND g.id = i.group_id);
ALTER TABLE network.infra_enrollment
  ADD CONSTRAINT infra_group FOREIGN KEY (tenant_id, group_id) REFERENCES network."group" (tenant_id, id) ON DELETE SET NULL (group_id);
CREATE INDEX infra_by_group ON network.infra_enrollment (tenant_id, group_id);
