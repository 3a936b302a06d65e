import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'change_item' })
export class ChangeItemRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'bigint', autoincrement: false }) changeId!: string;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'text' }) kind!: string;
  @Property({ type: 'jsonb', nullable: true }) before!: unknown;
  @Property({ type: 'jsonb', nullable: true }) after!: unknown;
}

@Entity({ tableName: 'resource_group' })
export class ResourceGroupRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) resourceId!: number;
  @PrimaryKey({ type: 'integer', autoincrement: false }) groupId!: number;
}
