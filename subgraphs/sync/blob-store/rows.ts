import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'blob' })
export class BlobRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'bigint' }) sizeBytes!: string;
  @Property({ type: 'bigint' }) chunkSize!: string;
  @Property({ type: 'bytea', nullable: true }) hash!: Buffer | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'chunk' })
export class ChunkRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) blobId!: string;
  @PrimaryKey({ type: 'integer', autoincrement: false }) chunkIndex!: number;
  @Property({ type: 'text' }) objectKey!: string;
  @Property({ type: 'bigint' }) sizeBytes!: string;
  @Property({ type: 'bytea' }) hash!: Buffer;
  @Property({ type: 'bytea', nullable: true }) subtrees!: Buffer | null;
}

@Entity({ tableName: 'discarded_object' })
export class DiscardedObjectRow {
  @PrimaryKey({ type: 'text' }) objectKey!: string;
  @Property({ type: 'datetime' }) dueAt!: Date;
}

@Entity({ tableName: 'store' })
export class StoreRow {
  @PrimaryKey({ type: 'boolean', default: true }) isOnly!: Opt<boolean>;
  @Property({ type: 'text' }) id!: string;
  @Property({ type: 'text' }) location!: string;
  @Property({ type: 'boolean', default: false }) isMarked!: Opt<boolean>;
  @Property({ type: 'text', nullable: true }) sweptUpTo!: string | null;
  @Property({ type: 'text', nullable: true }) checkedUpTo!: string | null;
  @Property({ type: 'datetime', nullable: true }) checkBeganAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) checkEndedAt!: Date | null;
}
