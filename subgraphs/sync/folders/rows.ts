import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'directory' })
export class DirectoryRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'bigint' }) folderId!: string;
  @Property({ type: 'bytea' }) pathHash!: Buffer;
  @Property({ type: 'bytea', nullable: true }) parentHash!: Buffer | null;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'bigint', defaultRaw: `0` }) fileCount!: Opt<string>;
  @Property({ type: 'numeric', default: 0 }) totalBytes!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) ownFiles!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) ownDirectories!: Opt<string>;
}

@Entity({ tableName: 'folder' })
export class FolderRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'text' }) folderHash!: string;
  @Property({ type: 'text', nullable: true }) label!: string | null;
  @Property({ type: 'text', defaultRaw: `''::text` }) deviceName!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) fileCount!: Opt<string>;
  @Property({ type: 'numeric', default: 0 }) totalBytes!: Opt<string>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'datetime', nullable: true }) deletedAt!: Date | null;
  @Property({ type: 'numeric', precision: 20, scale: 0, default: 0 }) storedBytes!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) registeredAt!: Date | null;
}

@Entity({ tableName: 'folder_entry' })
export class FolderEntryRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) folderId!: string;
  @PrimaryKey({ type: 'bytea' }) pathHash!: Buffer;
  @Property({ type: 'text' }) relativePath!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'folder_kind' })
export class FolderKindRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) folderId!: string;
  @PrimaryKey({ type: 'text' }) groupedBy!: 'type' | 'source';
  @PrimaryKey({ type: 'text' }) kind!: string;
  @Property({ type: 'bigint' }) fileCount!: string;
  @Property({ type: 'numeric' }) totalBytes!: string;
}

@Entity({ tableName: 'folder_letters' })
export class FolderLettersRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) folderId!: string;
  @PrimaryKey({ type: 'text' }) letters!: string;
  @Property({ type: 'bigint' }) fileCount!: string;
}

@Entity({ tableName: 'owner' })
export class OwnerRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'text' }) address!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) unknownSince!: Date | null;
  @Property({ type: 'date', nullable: true }) closedUpTo!: string | null;
}
