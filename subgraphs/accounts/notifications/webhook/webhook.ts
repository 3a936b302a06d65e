import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { AccountsConfig } from '../../config.js';
import { CursorPage } from '../../../../kernel/paging/page.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import { NoticeKindEnum, type NoticeKind } from '../notification/notification.js';
import type { AllowedAddresses } from './public-address.js';

/** Maximum endpoints of a user; PostgreSQL enforces it by slots. */
export const MAX_ENDPOINTS = 10;

@ObjectType({ description: 'A webhook endpoint that receives your notifications.', simpleResolvers: true })
export class WebhookEndpoint {
  @Field(() => String, { description: 'Id of the endpoint.' })
  id!: string;

  @Field(() => String, { description: 'The URL that receives the notifications.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => [NoticeKindEnum], { description: 'Kinds of notifications to send; empty sends all kinds.' })
  @Property({ type: 'text[]' })
  kinds!: NoticeKind[];

  @Field(() => Boolean, { description: 'Whether the endpoint receives notifications.' })
  @Property({ type: 'boolean', default: true })
  isEnabled!: Opt<boolean>;

  @Field(() => String, { nullable: true, description: 'Why the platform disabled the endpoint; null if it did not.' })
  @Property({ type: 'text', nullable: true })
  disabledBecause!: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the first failure since the last success; null if the last attempt succeeded.',
  })
  @Property({ type: 'datetime', nullable: true })
  failingSince!: Date | null;

  @Field(() => DateTime, { description: 'When the endpoint was added.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'webhook_endpoint' })
export class WebhookEndpointRow extends WebhookEndpoint {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'uuid' }) override id!: string;
  /** 1 to 10, unique for the user. */
  @Property({ type: 'smallint' }) slot!: number;
  @Property({ type: 'text' }) sealedSecret!: string;
  @Property({ type: 'text', nullable: true }) sealedPrevious!: string | null;
  @Property({ type: 'datetime', nullable: true }) previousUntil!: Date | null;
  /** Those before the previous one, newest first: `{sealed, until}`. */
  @Property({ type: 'jsonb', defaultRaw: `'[]'::jsonb` }) sealedEarlier!: Opt<unknown[]>;
}

/** The key of an endpoint. */
export type EndpointKey = Pick<WebhookEndpointRow, 'userId' | 'id'>;

@ObjectType({ description: 'An endpoint with its secret, which is shown only once.', simpleResolvers: true })
export class WebhookSecret {
  @Field(() => WebhookEndpoint, { description: 'The endpoint of the secret.' })
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: 'Secret that verifies deliveries according to Standard Webhooks: `whsec_…`.' })
  secret!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when deliveries are also signed with the previous secret.',
  })
  previousUntil!: Date | null;
}

const DELIVERY_STATES = ['pending', 'sent', 'failed'] as const;

/** The states as a GraphQL enum whose names are its values. */
const DeliveryState = Object.fromEntries(DELIVERY_STATES.map((state) => [state, state]));

registerEnumType(DeliveryState, {
  name: 'DeliveryState',
  description: 'State of a delivery: pending, sent or failed for good.',
});

@ObjectType({ description: 'A delivery of a notification or a test event to an endpoint.', simpleResolvers: true })
export class WebhookDelivery {
  @Field(() => String, { description: 'Id of the delivery.' })
  id!: string;

  @Field(() => String, { description: 'The `webhook-id` header: the same in every attempt.' })
  messageId!: string;

  @Field(() => String, { nullable: true, description: 'The notification; null for a test event.' })
  notificationId!: string | null;

  @Field(() => NoticeKindEnum, { nullable: true, description: 'Kind of notification; null for a test event.' })
  kind!: NoticeKind | null;

  @Field(() => DeliveryState, { description: 'State of the delivery.' })
  state!: (typeof DELIVERY_STATES)[number];

  @Field(() => Int, { description: 'Number of attempts so far.' })
  attempts!: number;

  @Field(() => DateTime, { nullable: true, description: 'Time of the next attempt; null if there is none.' })
  nextAttemptAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Error of the last attempt.' })
  lastError!: string | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the last response.' })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'First 500 characters of the last response.' })
  responseBody!: string | null;

  @Field(() => DateTime, { description: 'When the delivery was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the delivery succeeded.' })
  sentAt!: Date | null;
}

@ObjectType({ description: 'Deliveries, newest first.', simpleResolvers: true })
export class WebhookDeliveryPage extends CursorPage {
  @Field(() => [WebhookDelivery], { description: 'Items on this page, newest first.' })
  results!: WebhookDelivery[];
}

/** The columns of an endpoint in GraphQL. */
export const ENDPOINT_COLUMNS = [
  'webhookEndpoint.id',
  'webhookEndpoint.url',
  'webhookEndpoint.kinds',
  'webhookEndpoint.isEnabled',
  'webhookEndpoint.disabledBecause',
  'webhookEndpoint.failingSince',
  'webhookEndpoint.createdAt',
] as const;

/** The columns of a delivery `d` in GraphQL. */
export const DELIVERY_COLUMNS = [
  'd.id',
  sql<string>`'msg_' || d.message_id`.as('messageId'),
  'd.notificationId',
  sql<NoticeKind | null>`(
    SELECT n.kind FROM accounts.notification n WHERE n.user_id = d.user_id AND n.id = d.notification_id)`.as('kind'),
  'd.state',
  'd.attempts',
  'd.nextAttemptAt',
  'd.lastError',
  'd.responseStatus',
  'd.responseBody',
  'd.createdAt',
  'd.sentAt',
] as const;

/** Purpose of the encrypted secret of an endpoint. */
export function sealedFor(endpointId: string): string {
  return `webhook:${endpointId}`;
}

/** Only public https addresses, unless the operator allows webhooks to this machine for tests. */
export function allowedAddresses({ webhooksToLoopback }: AccountsConfig): AllowedAddresses {
  return { loopback: webhooksToLoopback };
}
