-- Attached machines have a peer and a group. Creates a trigger: SHARE ROW EXCLUSIVE on the table for an instant.

CREATE TRIGGER record_previous_ids AFTER UPDATE OF peer_id, group_id OR DELETE ON network.infra_enrollment
  FOR EACH ROW EXECUTE FUNCTION network.record_previous_ids('infraEnrollment', 'id', 'peer_id', 'group_id');
