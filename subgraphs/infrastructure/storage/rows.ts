import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { SubTokenAction } from './grant/grant.js';

@Entity({ tableName: 'sub_token' })
export class SubTokenRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) id!: Opt<number>;
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
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) subTokenId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) bucketId!: number;
}
