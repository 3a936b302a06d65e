import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ObjectKind } from './netbird-objects/actual.rules.js';

@Entity({ tableName: 'netbird_object' })
export class NetbirdObjectRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'text' }) kind!: ObjectKind | 'machine';
  @PrimaryKey({ type: 'integer', autoincrement: false }) objectId!: number;
  @Property({ type: 'text', nullable: true }) externalId!: string | null;
  @Property({ type: 'text', nullable: true }) parentId!: string | null;
  @Property({ type: 'text', nullable: true }) sentHash!: string | null;
  @Property({ type: 'text', nullable: true }) answeredHash!: string | null;
  @Property({ type: 'datetime', nullable: true }) reservedUntil!: Date | null;
  @Property({ type: 'datetime' }) sentAt!: Date;
}

@Entity({ tableName: 'netbird_tenant' })
export class NetbirdTenantRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @Property({ type: 'integer', nullable: true }) revision!: number | null;
  @Property({ type: 'uuid', nullable: true }) lease!: string | null;
  @Property({ type: 'datetime', nullable: true }) leaseUntil!: Date | null;
  @Property({ type: 'datetime', nullable: true }) endedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) lookedAt!: Date | null;
}
