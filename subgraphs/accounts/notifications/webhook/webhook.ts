import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Config } from '../../../../kernel/config/config.js';
import { DateTime } from '../../../../kernel/scalars.js';
import { NoticeKindEnum, type NoticeKind } from '../notification/notification.js';
import type { Reach } from './public-address.js';

/** Endpoints a user has at most; PostgreSQL keeps it by their slots. */
export const MAX_ENDPOINTS = 10;

@ObjectType({ description: 'An address of yours that is told what you are told.', simpleResolvers: true })
export class WebhookEndpoint {
  @Field(() => String, { description: 'Names the endpoint.' })
  id!: string;

  @Field(() => String, { description: 'Where notifications are posted.' })
  url!: string;

  @Field(() => [NoticeKindEnum], { description: 'What is posted; none: everything.' })
  kinds!: NoticeKind[];

  @Field(() => Boolean, { description: 'Whether anything is posted.' })
  isEnabled!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it was disabled, when it was not you.' })
  disabledBecause!: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Since when every attempt failed; null: the last one did not.',
  })
  failingSince!: Date | null;

  @Field(() => DateTime, { description: 'When it was added.' })
  createdAt!: Date;
}

@ObjectType({ description: 'An endpoint with its secret, which is shown this once.', simpleResolvers: true })
export class WebhookSecret {
  @Field(() => WebhookEndpoint, { description: 'Whose secret it is.' })
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: 'Verifies deliveries as Standard Webhooks says: `whsec_…`.' })
  secret!: string;

  @Field(() => DateTime, { nullable: true, description: 'Until when deliveries are signed by the secret before, too.' })
  previousUntil!: Date | null;
}

const DELIVERY_STATES = ['pending', 'sent', 'failed'] as const;

/** The states as a GraphQL enum whose names are its values. */
const DeliveryState = Object.fromEntries(DELIVERY_STATES.map((state) => [state, state]));

registerEnumType(DeliveryState, {
  name: 'DeliveryState',
  description: 'Whether a delivery arrived: not yet, yes, never.',
});

@ObjectType({ description: 'A notification on its way to an endpoint.', simpleResolvers: true })
export class WebhookDelivery {
  @Field(() => String, { description: 'Names the delivery.' })
  id!: string;

  @Field(() => String, { description: 'The `webhook-id`: the same with every attempt.' })
  messageId!: string;

  @Field(() => String, { description: 'What is delivered.' })
  notificationId!: string;

  @Field(() => NoticeKindEnum, { description: 'What it is about.' })
  kind!: NoticeKind;

  @Field(() => DeliveryState, { description: 'Whether it arrived.' })
  state!: (typeof DELIVERY_STATES)[number];

  @Field(() => Int, { description: 'Attempts so far.' })
  attempts!: number;

  @Field(() => DateTime, { nullable: true, description: 'When it is tried next; null: not again.' })
  nextAttemptAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed.' })
  lastError!: string | null;

  @Field(() => Int, { nullable: true, description: 'The status that the endpoint answered last.' })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'The first 500 characters of that answer.' })
  responseBody!: string | null;

  @Field(() => DateTime, { description: 'When it was to be delivered.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it arrived.' })
  sentAt!: Date | null;
}

@ObjectType({ description: 'Deliveries, newest first.', simpleResolvers: true })
export class WebhookDeliveryPage {
  @Field(() => [WebhookDelivery], { description: 'Newest first.' })
  results!: WebhookDelivery[];

  @Field(() => String, {
    nullable: true,
    description: 'Give it as `after` for those that follow; null: these are all.',
  })
  nextCursor!: string | null;
}

/** The columns of an endpoint under the names of its fields. */
export const ENDPOINT_COLUMNS = `
  id, url, kinds, is_enabled AS "isEnabled", disabled_because AS "disabledBecause", failing_since AS "failingSince",
  created_at AS "createdAt"`;

/** The columns of a delivery `d` of a notification `n` under the names of its fields. */
export const DELIVERY_COLUMNS = `
  d.id::text AS id, 'msg_' || d.message_id AS "messageId", n.id::text AS "notificationId", n.kind, d.state, d.attempts,
  d.next_attempt_at AS "nextAttemptAt", d.last_error AS "lastError", d.response_status AS "responseStatus",
  d.response_body AS "responseBody", d.created_at AS "createdAt", d.sent_at AS "sentAt"`;

/** What the secrets of an endpoint are sealed for. */
export function sealedFor(endpointId: string): string {
  return `webhook:${endpointId}`;
}

/** Only public addresses by https, unless the operator lets webhooks be tried on this machine. */
export function reachOf({ webhooksToLoopback }: Config): Reach {
  return { loopback: webhooksToLoopback };
}
