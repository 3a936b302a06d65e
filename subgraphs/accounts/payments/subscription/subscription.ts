import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'A subscription plan.', simpleResolvers: true })
export class SubscriptionPlan {
  @Field(() => String, { description: 'Id of the product at the payment processor.' })
  id!: string;

  @Field(() => String, { description: 'Shown to users.' })
  name!: string;

  @Field(() => String, { description: 'Shown to users; may be empty.' })
  description!: string;

  @Field(() => String, { description: 'Price id to subscribe with; starts with price_.' })
  priceId!: string;

  @Field(() => String, { description: 'Currency code, lower case.' })
  currency!: string;

  @Field(() => Float, { description: 'Amount per billing cycle, in the currency.' })
  amount!: number;

  @Field(() => String, { description: '`day`, `week`, `month` or `year`.' })
  interval!: string;

  @Field(() => Int, { description: 'Number of intervals in a billing cycle.' })
  intervalCount!: number;

  @Field(() => Int, { description: 'Credits granted per billing cycle.' })
  creditsPerBilling!: number;
}

@ObjectType({ description: 'The available subscription plans.', simpleResolvers: true })
export class SubscriptionPlans {
  @Field(() => [SubscriptionPlan], { description: 'Plans, cheapest first.' })
  plans!: SubscriptionPlan[];

  @Field(() => String, { description: 'A recommendation for choosing a plan.' })
  recommendation!: string;
}

@ObjectType({ description: 'A subscription that grants credits in every billing cycle.', simpleResolvers: true })
export class CreditSubscription {
  @Field(() => Int, { description: 'Stable id.' })
  id!: Opt<number>;

  @Field(() => String, { description: 'Id at the payment processor.' })
  @Property({ type: 'text' })
  processorSubscriptionId!: string;

  @Field(() => Int, { description: 'The subscriber.' })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'SS58 address of the subscriber.' })
  substrateAddress!: Computed<string> | null;

  @Field(() => String, { description: 'E.g. active, trialing, past_due, canceled.' })
  @Property({ type: 'text' })
  status!: string;

  @Field(() => String, { description: 'Name of the plan; empty for an unknown plan.' })
  planName!: Computed<string>;

  @Field(() => String, { description: 'Price id of the plan.' })
  @Property({ type: 'text' })
  priceId!: string;

  @Field(() => Float, { description: 'Amount per billing cycle, in the currency.' })
  amount!: Computed<number>;

  @Field(() => String, { description: 'Currency code, lower case.' })
  currency!: Computed<string>;

  @Field(() => String, { description: '`day`, `week`, `month` or `year`.' })
  interval!: Computed<string>;

  @Field(() => Int, { description: 'Number of intervals in a billing cycle.' })
  intervalCount!: Computed<number>;

  @Field(() => Int, { description: 'Credits granted per billing cycle.' })
  creditsPerBilling!: Computed<number>;

  @Field(() => DateTime, { nullable: true, description: 'Start of the current billing cycle.' })
  @Property({ type: 'datetime', nullable: true })
  currentPeriodStart!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'End of the current billing cycle.' })
  @Property({ type: 'datetime', nullable: true })
  currentPeriodEnd!: Date | null;

  @Field(() => Boolean, { description: 'Whether it ends with the current billing cycle.' })
  @Property({ type: 'boolean' })
  cancelAtPeriodEnd!: boolean;

  @Field(() => DateTime, { description: 'When the subscription started.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  @Property({ type: 'datetime' })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while active.' })
  @Property({ type: 'datetime', nullable: true })
  endedAt!: Date | null;
}

@Entity({ tableName: 'subscription' })
export class SubscriptionRow extends CreditSubscription {
  @PrimaryKey({ type: 'integer', autoincrement: false }) override userId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) override id!: Opt<number>;
  @Property({ type: 'text' }) processorCustomerId!: string;
  /** When the subscription got this status, according to the processor. */
  @Property({ type: 'datetime' }) eventAt!: Date;
}

@ObjectType({ description: 'Your subscription, if you have one.', simpleResolvers: true })
export class ActiveSubscription {
  @Field(() => CreditSubscription, { nullable: true, description: 'The subscription; null without one.' })
  subscription!: CreditSubscription | null;

  @Field(() => Boolean, { description: 'Whether you have a subscription.' })
  hasSubscription!: boolean;

  @Field(() => String, { nullable: true, description: 'A hint if you have no subscription; else null.' })
  message!: string | null;
}

@ObjectType({ description: 'A page of subscriptions.', simpleResolvers: true })
export class SubscriptionPage extends NumberedPage {
  @Field(() => [CreditSubscription], { description: 'Items on this page, newest first by default.' })
  results!: CreditSubscription[];
}
