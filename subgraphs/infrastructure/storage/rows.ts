import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'bucket' })
export class BucketRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'boolean', default: false }) isAbsentSeen!: Opt<boolean>;
  @Property({ type: 'boolean', default: false }) isMade!: Opt<boolean>;
  @Property({ type: 'integer', default: 1 }) accessRevision!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) writtenRevision!: Opt<number>;
  @Property({ type: 'text', nullable: true }) written!: string | null;
  @Property({ type: 'text', nullable: true }) found!: string | null;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) state!: Opt<string>;
  @Property({ type: 'text', nullable: true }) fault!: string | null;
  @Property({ type: 'datetime', nullable: true }) checkedAt!: Date | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'sub_token' })
export class SubTokenRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'integer', nullable: true }) parentId!: number | null;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) accessKeyId!: string;
  @Property({ type: 'text' }) secretHash!: string;
  @Property({ type: 'text' }) lastFour!: string;
  @Property({ type: 'boolean' }) isAllBuckets!: boolean;
  @Property({ type: 'text[]' }) actions!: string[];
  @Property({ type: 'text[]' }) prefixes!: string[];
  @Property({ type: 'text[]' }) addresses!: string[];
  @Property({ type: 'datetime', nullable: true }) notBefore!: Date | null;
  @Property({ type: 'datetime', nullable: true }) expiresAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'sub_token_bucket' })
export class SubTokenBucketRow {
  @Property({ type: 'integer' }) userId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) subTokenId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) bucketId!: number;
}
