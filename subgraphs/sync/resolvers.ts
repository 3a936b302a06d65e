import type { NonEmptyArray } from 'type-graphql';
import { auditLogResolverOf } from '../../kernel/audit/audit-log.resolver.js';
import { User } from './summary/user/user.js';
import { MaintenanceResolver } from './maintenance/maintenance.resolver.js';
import { FileResolver } from './files/file/file.resolver.js';
import { DeletedFolderResolver } from './folders/deleted-folder/deleted-folder.resolver.js';
import { FolderEntryResolver } from './folders/folder-entry/folder-entry.resolver.js';
import { FolderResolver } from './folders/folder/folder.resolver.js';
import { RenameResolver } from './files/rename/rename.resolver.js';
import { BrowseResolver } from './search/browse.resolver.js';
import { SearchResolver } from './search/search.resolver.js';
import { SummaryResolver } from './summary/storage/summary.resolver.js';
import { OpenUploadResolver } from './uploads/open-upload/open-upload.resolver.js';
import { UploadResolver } from './uploads/upload.resolver.js';
import { FolderChargeResolver } from './summary/charge/folder-charge.resolver.js';
import { FolderOfChargeResolver, StorageChargeResolver } from './summary/charge/storage-charge.resolver.js';
import { UsageResolver } from './usage/usage.resolver.js';
import { FolderOwnerResolver, UserResolver } from './summary/user/user.resolver.js';

/** All resolvers of sync. */
export const RESOLVERS: NonEmptyArray<new () => object> = [
  MaintenanceResolver,
  BrowseResolver,
  DeletedFolderResolver,
  FileResolver,
  FolderEntryResolver,
  FolderResolver,
  FolderChargeResolver,
  FolderOfChargeResolver,
  FolderOwnerResolver,
  OpenUploadResolver,
  RenameResolver,
  SearchResolver,
  StorageChargeResolver,
  SummaryResolver,
  UploadResolver,
  UsageResolver,
  UserResolver,
  auditLogResolverOf('sync', User),
];
