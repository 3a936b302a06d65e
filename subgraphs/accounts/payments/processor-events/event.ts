import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';
import { EVENT_STATUSES } from './outcome.rules.js';

/** The states of an event as a GraphQL enum whose names are its values. */
export const EventStatusEnum = Object.fromEntries(EVENT_STATUSES.map((status) => [status, status]));

registerEnumType(EventStatusEnum, {
  name: 'ProcessorEventStatus',
  description:
    'State of an event from the payment processor. A parked event waits for an object that is not known yet; a flagged or failed one needs an administrator.',
});

@ObjectType({ description: 'An event from the payment processor.', simpleResolvers: true })
export class ProcessorEventRecord {
  @Field(() => String, { description: 'Id at the payment processor.' })
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => String, { description: 'Event type, as the processor names it.' })
  @Property({ type: 'text' })
  type!: string;

  @Field(() => String, { description: '`processed`, `ignored`, `parked`, `flagged` or `failed`.' })
  @Property({ type: 'text' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'The id of the object that a parked event waits for.' })
  @Property({ type: 'text', nullable: true })
  waitsFor!: string | null;

  @Field(() => String, { nullable: true, description: 'Why an event is flagged or failed.' })
  @Property({ type: 'text', nullable: true })
  note!: string | null;

  @Field(() => DateTime, { description: 'When the event happened.' })
  @Property({ type: 'datetime' })
  occurredAt!: Date;

  @Field(() => DateTime, { description: 'When the event was received.' })
  @Property({ type: 'datetime' })
  receivedAt!: Date;
}

@Entity({ tableName: 'processor_event' })
export class ProcessorEventRow extends ProcessorEventRecord {
  /** JSON as the processor sent it. */
  @Property({ type: 'text' }) payload!: string;
}

@ObjectType({ description: 'A page of events from the payment processor.', simpleResolvers: true })
export class ProcessorEventPage extends NumberedPage {
  @Field(() => [ProcessorEventRecord], { description: 'Events, newest first.' })
  results!: ProcessorEventRecord[];
}

@ObjectType({ description: 'A payment that differs from its transaction.', simpleResolvers: true })
export class FlaggedPayment {
  @Field(() => String, { description: 'The id of the transaction.' })
  transactionId!: string;

  @Field(() => Int, { description: 'The user who paid.' })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'SS58 address of the user; null without one.' })
  substrateAddress!: string | null;

  @Field(() => String, { description: 'What differs.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'Id of the payment at the payment processor.' })
  paymentIntentId!: string | null;

  @Field(() => String, { nullable: true, description: 'Id of the invoice at the payment processor.' })
  invoiceId!: string | null;
}

@ObjectType({ description: 'Result of granting a flagged payment.', simpleResolvers: true })
export class PaymentGrant {
  @Field(() => String, { description: 'The id of the transaction.' })
  transactionId!: string;

  @Field(() => Int, { description: 'The user who paid.' })
  userId!: number;

  @Field(() => Decimal, { description: 'Credits of the payment.' })
  credits!: string;

  @Field(() => Boolean, { description: 'False if the payment was granted before.' })
  hasChanged!: boolean;
}

@ObjectType({ description: 'Acknowledgement of a webhook.', simpleResolvers: true })
export class WebhookReceipt {
  @Field(() => Boolean, { description: 'Always true; failures return an error.' })
  received!: boolean;
}

@ObjectType({ description: 'Result of a replay of events or of a reconciliation.', simpleResolvers: true })
export class ReplayResult {
  @Field(() => Int, { description: 'Number of events that were processed.' })
  replayed!: number;

  @Field(() => Int, { description: 'Number of events that are still parked, flagged or failed.' })
  remaining!: number;
}

@ObjectType({ description: 'Result of unlinking a customer record.', simpleResolvers: true })
export class CustomerUnlinking {
  @Field(() => Boolean, { description: 'Whether the record was linked to the user before.' })
  hasChanged!: boolean;
}
