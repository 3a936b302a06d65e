import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { WebhookDelivery } from './webhook/webhook.js';

/** The attempts to deliver a notification or a test event to one endpoint, or by e-mail if `endpointId` is null. */
@Entity({ tableName: 'delivery' })
export class DeliveryRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) messageId!: Opt<string>;
  /** Null: a test event. */
  @Property({ type: 'bigint', nullable: true }) notificationId!: string | null;
  @Property({ type: 'uuid', nullable: true }) endpointId!: string | null;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) state!: Opt<WebhookDelivery['state']>;
  @Property({ type: 'integer', default: 0 }) attempts!: Opt<number>;
  @Property({ type: 'datetime', nullable: true }) nextAttemptAt!: Date | null;
  @Property({ type: 'text', nullable: true }) lastError!: string | null;
  @Property({ type: 'integer', nullable: true }) responseStatus!: number | null;
  @Property({ type: 'text', nullable: true }) responseBody!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) sentAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) attemptedAt!: Date | null;
  /** Idempotency key of a test event, unique for the endpoint; null: a notification. */
  @Property({ type: 'text', nullable: true }) testKey!: string | null;
}

/** The code that was last sent to an unconfirmed address of a user, and how often it was tried. */
@Entity({ tableName: 'email_confirmation' })
export class EmailConfirmationRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @Property({ type: 'text' }) email!: string;
  @Property({ type: 'text' }) codeHash!: string;
  @Property({ type: 'integer', default: 0 }) tries!: Opt<number>;
  @Property({ type: 'datetime' }) expiresAt!: Date;
}
