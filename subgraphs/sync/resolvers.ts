import type { NonEmptyArray } from 'type-graphql';
import { BlobResolver } from './blob-store/blob/blob.resolver.js';
import { FileResolver } from './files/file/file.resolver.js';
import { DeletedFolderResolver } from './folders/folder/deleted-folder.resolver.js';
import { FolderEntryResolver } from './folders/folder/folder-entry.resolver.js';
import { FolderResolver } from './folders/folder/folder.resolver.js';
import { RenameResolver } from './files/rename/rename.resolver.js';
import { BrowseResolver } from './search/browse.resolver.js';
import { SearchResolver } from './search/search.resolver.js';
import { SummaryResolver } from './usage/summary/summary.resolver.js';
import { UploadResolver } from './uploads/upload.resolver.js';
import { UsageResolver } from './usage/usage/usage.resolver.js';
import { UserResolver } from './folders/user/user.resolver.js';

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
