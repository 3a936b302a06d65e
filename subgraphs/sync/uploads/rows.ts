import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { UploadResult } from '../files/file/upload-result.js';
import type { StoredManifest } from './session/session.rules.js';
import type { UploadSession } from './session/upload.js';

@Entity({ tableName: 'upload_session' })
export class UploadSessionRow {
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'bigint' }) ownerId!: string;
  @Property({ type: 'bigint', nullable: true }) blobId!: string | null;
  @Property({ type: 'jsonb' }) manifest!: StoredManifest;
  @Property({ type: 'text' }) ciphertextHash!: string;
  @Property({ type: 'integer' }) chunkCount!: number;
  @Property({ type: 'bigint' }) chunkSize!: string;
  @Property({ type: 'bigint' }) ciphertextSize!: string;
  @Property({ type: 'text', defaultRaw: `'receiving'::text` }) state!: Opt<UploadSession['state']>;
  @Property({ type: 'bigint', defaultRaw: `0` }) version!: Opt<string>;
  /** Of all its chunks. */
  @Property({ type: 'bigint', defaultRaw: `0` }) receivedBytes!: Opt<string>;
  @Property({ type: 'jsonb', nullable: true }) result!: UploadResult | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  @Property({ type: 'bytea', nullable: true }) hash!: Buffer | null;
  @Property({ type: 'bigint', nullable: true }) hashVersion!: string | null;
}
