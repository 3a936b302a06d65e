import { AuditEntryRow } from '../../kernel/audit/audit-entry.js';
import type { Db } from '../../kernel/database/query.js';
import { DamagedChunkRow } from './blob-store/scrub/damage.js';
import { BlobRow, ChunkRow, DiscardedObjectRow, StoreRow } from './blob-store/rows.js';
import { FileRow, FileSearchRow } from './files/rows.js';
import { DirectoryRow, FolderEntryRow, FolderKindRow, FolderLettersRow, FolderRow, OwnerRow } from './folders/rows.js';
import { UploadSessionRow } from './uploads/rows.js';
import { ClosingDayRow, FolderPeriodRow, StorageDayRow, StoragePeriodRow, StoragePriceRow } from './usage/rows.js';

/** The classes of all tables. A test compares them with the migrated database. */
export const ENTITIES = [
  AuditEntryRow,
  BlobRow,
  ChunkRow,
  ClosingDayRow,
  DamagedChunkRow,
  DirectoryRow,
  DiscardedObjectRow,
  FileRow,
  FileSearchRow,
  FolderEntryRow,
  FolderKindRow,
  FolderPeriodRow,
  FolderLettersRow,
  FolderRow,
  OwnerRow,
  StorageDayRow,
  StoragePeriodRow,
  StoragePriceRow,
  StoreRow,
  UploadSessionRow,
];

/** The tables by the names that statements use. */
export type Tables = Db<{
  blob: BlobRow;
  chunk: ChunkRow;
  closingDay: ClosingDayRow;
  damagedChunk: DamagedChunkRow;
  directory: DirectoryRow;
  discardedObject: DiscardedObjectRow;
  file: FileRow;
  fileSearch: FileSearchRow;
  folderEntry: FolderEntryRow;
  folderKind: FolderKindRow;
  folderPeriod: FolderPeriodRow;
  folderLetters: FolderLettersRow;
  folder: FolderRow;
  owner: OwnerRow;
  storageDay: StorageDayRow;
  storagePeriod: StoragePeriodRow;
  storagePrice: StoragePriceRow;
  store: StoreRow;
  uploadSession: UploadSessionRow;
}>;
