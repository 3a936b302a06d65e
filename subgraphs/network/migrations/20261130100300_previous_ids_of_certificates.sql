-- Holders of certificates lose their peer when it is deleted. Creates a trigger: SHARE ROW EXCLUSIVE on the table for an instant.

CREATE TRIGGER record_previous_ids AFTER UPDATE OF peer_id OR DELETE ON network.certificate_holder
  FOR EACH ROW EXECUTE FUNCTION network.record_previous_ids('certificateHolder', 'reference', 'peer_id');
