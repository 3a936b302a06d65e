import { Field, Float, Int, ObjectType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/page.js';
import { DateTime } from '../../../../kernel/scalars.js';

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
  id!: number;

  @Field(() => String, { description: 'Id at the payment processor.' })
  processorSubscriptionId!: string;

  @Field(() => Int, { description: 'The subscriber.' })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'SS58 address of the subscriber.' })
  substrateAddress!: string | null;

  @Field(() => String, { description: 'E.g. active, trialing, past_due, canceled.' })
  status!: string;

  @Field(() => String, { description: 'Name of the plan; empty for an unknown plan.' })
  planName!: string;

  @Field(() => String, { description: 'Price id of the plan.' })
  priceId!: string;

  @Field(() => Float, { description: 'Amount per billing cycle, in the currency.' })
  amount!: number;

  @Field(() => String, { description: 'Currency code, lower case.' })
  currency!: string;

  @Field(() => String, { description: '`day`, `week`, `month` or `year`.' })
  interval!: string;

  @Field(() => Int, { description: 'Number of intervals in a billing cycle.' })
  intervalCount!: number;

  @Field(() => Int, { description: 'Credits granted per billing cycle.' })
  creditsPerBilling!: number;

  @Field(() => DateTime, { nullable: true, description: 'Start of the current billing cycle.' })
  currentPeriodStart!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'End of the current billing cycle.' })
  currentPeriodEnd!: Date | null;

  @Field(() => Boolean, { description: 'Whether it ends with the current billing cycle.' })
  cancelAtPeriodEnd!: boolean;

  @Field(() => DateTime, { description: 'When the subscription started.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while active.' })
  endedAt!: Date | null;
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
