-- A new session deletes the oldest above the maximum. Creates a trigger: SHARE ROW EXCLUSIVE on the table for an instant.

CREATE TRIGGER record_previous_ids AFTER UPDATE OF parent_id OR DELETE ON accounts.session
  FOR EACH ROW EXECUTE FUNCTION accounts.record_previous_ids('session', 'id', 'token_id', 'parent_id');
