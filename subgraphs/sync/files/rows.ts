import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'file' })
export class FileRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'bigint' }) folderId!: string;
  @Property({ type: 'bytea' }) pathHash!: Buffer;
  @Property({ type: 'bytea' }) saltedHash!: Buffer;
  @Property({ type: 'bigint' }) sizeBytes!: string;
  @Property({ type: 'numeric', precision: 20, scale: 0 }) revisionSeq!: string;
  @Property({ type: 'bytea' }) revisionId!: Buffer;
  @Property({ type: 'bytea' }) encryptedPath!: Buffer;
  @Property({ type: 'text', nullable: true }) fileName!: string | null;
  @Property({ type: 'text', nullable: true }) relativePath!: string | null;
  @Property({ type: 'text', nullable: true }) source!: string | null;
  @Property({ type: 'text', nullable: true }) uploadedBy!: string | null;
  @Property({ type: 'bigint' }) blobId!: string;
  @Property({ type: 'bigint' }) createdAt!: string;
  @Property({ type: 'bigint' }) updatedAt!: string;
}

@Entity({ tableName: 'file_search' })
export class FileSearchRow {
  @PrimaryKey({ type: 'bigint', autoincrement: false }) ownerId!: string;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) fileId!: string;
  @Property({ type: 'bigint' }) folderId!: string;
  @Property({ type: 'bigint' }) sizeBytes!: string;
  @Property({ type: 'bigint' }) createdAt!: string;
  @Property({ type: 'bigint' }) updatedAt!: string;
  @Property({ type: 'bytea' }) pathHash!: Buffer;
  @Property({ type: 'text' }) fileName!: string;
  @Property({ type: 'text', nullable: true }) foldedName!: string | null;
  @Property({ type: 'text', nullable: true }) extension!: string | null;
  @Property({ type: 'bigint', nullable: true }) directoryId!: string | null;
}
