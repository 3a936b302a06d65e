import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'enrollment' })
export class EnrollmentRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) id!: Opt<number>;
  @Property({ type: 'integer', nullable: true }) peerId!: number | null;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) keyHash!: string;
  @Property({ type: 'text' }) maskedKey!: string;
  @Property({ type: 'integer', nullable: true }) groupId!: number | null;
  @Property({ type: 'text', nullable: true }) vmTicketRef!: string | null;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  @Property({ type: 'datetime', nullable: true }) usedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'uuid', nullable: true }) vm!: string | null;
  @Property({ type: 'text', nullable: true }) sealedCommand!: string | null;
}

@Entity({ tableName: 'found_address' })
export class FoundAddressRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'integer' }) resourceId!: number;
  @Property({ type: 'integer' }) peerId!: number;
  @Property({ type: 'inet' }) address!: string;
  @Property({ type: 'datetime' }) foundAt!: Date;
  @Property({ type: 'datetime', nullable: true }) goneAt!: Date | null;
}

@Entity({ tableName: 'infra_enrollment' })
export class InfraEnrollmentRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) tenantId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) id!: Opt<number>;
  @Property({ type: 'integer', nullable: true }) peerId!: number | null;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text', nullable: true }) vmInstance!: string | null;
  @Property({ type: 'integer', nullable: true }) groupId!: number | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'jsonb', nullable: true }) vmSent!: unknown;
}

@Entity({ tableName: 'join_refusal' })
export class JoinRefusalRow {
  @PrimaryKey({ type: 'text' }) origin!: string;
  @Property({ type: 'datetime' }) since!: Date;
  @Property({ type: 'integer' }) refused!: number;
}
