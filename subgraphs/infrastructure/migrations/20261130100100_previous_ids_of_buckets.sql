-- A deleted bucket ends in the lists of sub-tokens. Creates a trigger: SHARE ROW EXCLUSIVE on the table for an instant.

CREATE TRIGGER record_previous_ids AFTER DELETE ON infrastructure.sub_token_bucket
  FOR EACH ROW EXECUTE FUNCTION infrastructure.record_previous_ids('subTokenBucket', 'sub_token_id');
