/** Features of folder sync. Source: folder-sync API, GET /health */
export const CAPABILITIES = [
  'folders',
  'folder_entries',
  'upload',
  'upload_sessions',
  'download_range',
  'browse',
  'search_files',
  'delete_files',
  'rename_files',
  'register_relative_paths',
  'summaries',
] as const;
