import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'Something that the payment processor told.', simpleResolvers: true })
export class ProcessorEventRecord {
  @Field(() => String, { description: 'The payment processor’s id.' })
  id!: string;

  @Field(() => String, { description: 'What kind, in the processor’s words.' })
  type!: string;

  @Field(() => String, { description: 'processed, ignored, parked, flagged or failed.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'The id of what a parked event waits for.' })
  waitsFor!: string | null;

  @Field(() => String, { nullable: true, description: 'Why an event is flagged or failed.' })
  note!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => DateTime, { description: 'When it was received.' })
  receivedAt!: Date;
}

@ObjectType({ description: 'A page of events of the payment processor.', simpleResolvers: true })
export class ProcessorEventPage {
  @Field(() => Int, { description: 'Events on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Events a page holds at most.' })
  pageSize!: number;

  @Field(() => [ProcessorEventRecord], { description: 'The latest first.' })
  results!: ProcessorEventRecord[];
}

@ObjectType({ description: 'A payment that is not what was created.', simpleResolvers: true })
export class FlaggedPayment {
  @Field(() => String, { description: 'The transaction.' })
  transactionId!: string;

  @Field(() => Int, { description: 'Who paid.' })
  userId!: number;

  @Field(() => String, { description: 'What differs.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'The payment processor’s id of the payment.' })
  paymentIntentId!: string | null;

  @Field(() => String, { nullable: true, description: 'The payment processor’s id of the invoice.' })
  invoiceId!: string | null;
}

@ObjectType({ description: 'That a webhook was taken.', simpleResolvers: true })
export class WebhookReceipt {
  @Field(() => Boolean, { description: 'Always true; anything else is an error.' })
  received!: boolean;
}

@ObjectType({ description: 'What a look at waiting events or at the processor has done.', simpleResolvers: true })
export class ReplayResult {
  @Field(() => Int, { description: 'Events that now took effect.' })
  replayed!: number;

  @Field(() => Int, { description: 'Events that still wait, are flagged or failed.' })
  remaining!: number;
}

@ObjectType({ description: 'That a customer record is not the user’s, or not any more.', simpleResolvers: true })
export class CustomerUnlinking {
  @Field(() => Boolean, { description: 'Whether it was the user’s until now.' })
  hasChanged!: boolean;
}
