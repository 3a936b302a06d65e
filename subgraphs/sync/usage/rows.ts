import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'storage_day' })
export class StorageDayRow {
  @PrimaryKey({ type: 'date' }) day!: string;
  @Property({ type: 'datetime' }) closedAt!: Date;
}

@Entity({ tableName: 'closing_day' })
export class ClosingDayRow {
  @PrimaryKey({ type: 'date' }) day!: string;
  @Property({ type: 'bigint' }) closedUpToOwner!: string;
}

@Entity({ tableName: 'storage_period' })
export class StoragePeriodRow {
  @PrimaryKey({ type: 'date' }) day!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @Property({ type: 'bigint' }) storedBytes!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) creditsPerGibMonth!: string | null;
  @Property({ type: 'text', defaultRaw: `'open'::text` }) state!: Opt<'open' | 'recorded' | 'no_account' | 'refused'>;
}

@Entity({ tableName: 'folder_period' })
export class FolderPeriodRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) folderId!: string;
  @PrimaryKey({ type: 'date' }) day!: string;
  @Property({ type: 'bigint' }) storedBytes!: string;
}

@Entity({ tableName: 'storage_price' })
export class StoragePriceRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) creditsPerGibMonth!: string | null;
  @Property({ type: 'text' }) setBy!: string;
  @Property({ type: 'datetime' }) createdAt!: Date;
}
