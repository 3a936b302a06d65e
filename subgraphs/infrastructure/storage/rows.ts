import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { SubTokenAction } from './grant/grant.js';

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
  @Property({ type: 'text[]' }) actions!: readonly SubTokenAction[];
  @Property({ type: 'text[]' }) prefixes!: readonly string[];
  @Property({ type: 'text[]' }) addresses!: readonly string[];
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
