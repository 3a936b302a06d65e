import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'folder' })
export class FolderRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'bigint' }) ownerId!: string;
  @Property({ type: 'text' }) folderHash!: string;
  @Property({ type: 'text', nullable: true }) label!: string | null;
  @Property({ type: 'text', defaultRaw: `''::text` }) deviceName!: Opt<string>;
  @Property({ type: 'bigint', defaultRaw: `0` }) fileCount!: Opt<string>;
  @Property({ type: 'numeric', default: 0 }) totalBytes!: Opt<string>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'datetime', nullable: true }) deletedAt!: Date | null;
  @Property({ type: 'numeric', precision: 20, scale: 0, default: 0 }) storedBytes!: Opt<string>;
}

@Entity({ tableName: 'folder_entry' })
export class FolderEntryRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) folderId!: string;
  @PrimaryKey({ type: 'bytea' }) pathHash!: Buffer;
  @Property({ type: 'text' }) relativePath!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'owner' })
export class OwnerRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'text' }) address!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) unknownSince!: Date | null;
}
