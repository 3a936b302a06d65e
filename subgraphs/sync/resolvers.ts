import type { NonEmptyArray } from 'type-graphql';
import { BlobResolver } from './blob/blob.resolver.js';
import { FileResolver } from './file/file.resolver.js';
import { DeletedFolderResolver } from './folder/deleted-folder.resolver.js';
import { FolderEntryResolver } from './folder/folder-entry.resolver.js';
import { FolderResolver } from './folder/folder.resolver.js';
import { RenameResolver } from './rename/rename.resolver.js';
import { BrowseResolver } from './search/browse.resolver.js';
import { SearchResolver } from './search/search.resolver.js';
import { SummaryResolver } from './summary/summary.resolver.js';
import { UploadResolver } from './upload/upload.resolver.js';
import { UsageResolver } from './usage/usage.resolver.js';
import { UserResolver } from './user/user.resolver.js';

/** All that answers in sync. */
export const RESOLVERS: NonEmptyArray<new () => object> = [
  BlobResolver,
  BrowseResolver,
  DeletedFolderResolver,
  FileResolver,
  FolderEntryResolver,
  FolderResolver,
  RenameResolver,
  SearchResolver,
  SummaryResolver,
  UploadResolver,
  UsageResolver,
  UserResolver,
];
