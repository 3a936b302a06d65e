import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'notification' })
export class NotificationRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) kind!: string;
  @Property({ type: 'text' }) key!: string;
  @Property({ type: 'text' }) title!: string;
  @Property({ type: 'text' }) text!: string;
  @Property({ type: 'text', nullable: true }) link!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) readAt!: Date | null;
  @Property({ type: 'xid8', defaultRaw: `pg_current_xact_id()` }) addedBy!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) plannedAt!: Date | null;
}

@Entity({ tableName: 'preference' })
export class PreferenceRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @Property({ type: 'boolean', default: true }) emailEnabled!: Opt<boolean>;
  @Property({ type: 'boolean', default: true }) lowCreditAlerts!: Opt<boolean>;
  @Property({ type: 'boolean', default: true }) zeroBalanceAlerts!: Opt<boolean>;
  @Property({ type: 'boolean', default: true }) fileStatusUpdates!: Opt<boolean>;
  @Property({ type: 'boolean', default: false }) marketingEmails!: Opt<boolean>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 10 }) lowCreditLevel!: Opt<string>;
}

@Entity({ tableName: 'delivery' })
export class DeliveryRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) messageId!: Opt<string>;
  @Property({ type: 'bigint' }) notificationId!: string;
  @Property({ type: 'uuid', nullable: true }) endpointId!: string | null;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) state!: Opt<string>;
  @Property({ type: 'integer', default: 0 }) attempts!: Opt<number>;
  @Property({ type: 'datetime', nullable: true }) nextAttemptAt!: Date | null;
  @Property({ type: 'text', nullable: true }) lastError!: string | null;
  @Property({ type: 'integer', nullable: true }) responseStatus!: number | null;
  @Property({ type: 'text', nullable: true }) responseBody!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) sentAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) attemptedAt!: Date | null;
}

@Entity({ tableName: 'webhook_endpoint' })
export class WebhookEndpointRow {
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'smallint' }) slot!: number;
  @Property({ type: 'text' }) url!: string;
  @Property({ type: 'text[]' }) kinds!: string[];
  @Property({ type: 'text' }) sealedSecret!: string;
  @Property({ type: 'text', nullable: true }) sealedPrevious!: string | null;
  @Property({ type: 'datetime', nullable: true }) previousUntil!: Date | null;
  @Property({ type: 'boolean', default: true }) isEnabled!: Opt<boolean>;
  @Property({ type: 'text', nullable: true }) disabledBecause!: string | null;
  @Property({ type: 'datetime', nullable: true }) failingSince!: Date | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'email_confirmation' })
export class EmailConfirmationRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @Property({ type: 'text' }) email!: string;
  @Property({ type: 'text' }) codeHash!: string;
  @Property({ type: 'integer', default: 0 }) tries!: Opt<number>;
  @Property({ type: 'datetime' }) expiresAt!: Date;
}
