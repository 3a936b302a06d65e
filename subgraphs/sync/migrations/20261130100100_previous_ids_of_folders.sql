-- A purged folder is named by its id only. Creates a trigger: SHARE ROW EXCLUSIVE on the table for an instant.

CREATE TRIGGER record_previous_ids AFTER DELETE ON sync.folder
  FOR EACH ROW EXECUTE FUNCTION sync.record_previous_ids('folder', 'id', 'folder_hash');
