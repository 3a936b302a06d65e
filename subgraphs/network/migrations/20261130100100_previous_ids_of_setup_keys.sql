-- Setup keys lose their peer and group when these are deleted. Creates a trigger: SHARE ROW EXCLUSIVE on the table for an instant.

CREATE TRIGGER record_previous_ids AFTER UPDATE OF peer_id, group_id OR DELETE ON network.enrollment
  FOR EACH ROW EXECUTE FUNCTION network.record_previous_ids('setupKey', 'id', 'peer_id', 'group_id');
