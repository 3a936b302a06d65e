import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'A plan that can be subscribed to.', simpleResolvers: true })
export class SubscriptionPlan {
  @Field(() => String, { description: 'The payment processor’s id of the product.' })
  id!: string;

  @Field(() => String, { description: 'Shown to users.' })
  name!: string;

  @Field(() => String, { description: 'Shown to users; may be empty.' })
  description!: string;

  @Field(() => String, { description: 'What to subscribe with; starts with price_.' })
  priceId!: string;

  @Field(() => String, { description: 'Currency code, lower case.' })
  currency!: string;

  @Field(() => Float, { description: 'Per billing cycle, in the currency.' })
  amount!: number;

  @Field(() => String, { description: 'day, week, month or year.' })
  interval!: string;

  @Field(() => Int, { description: 'Intervals in a billing cycle.' })
  intervalCount!: number;

  @Field(() => Int, { description: 'Credits that a billing adds.' })
  creditsPerBilling!: number;
}

@ObjectType({ description: 'The plans on offer.', simpleResolvers: true })
export class SubscriptionPlans {
  @Field(() => [SubscriptionPlan], { description: 'The cheapest first.' })
  plans!: SubscriptionPlan[];

  @Field(() => String, { description: 'A sentence that helps to choose.' })
  recommendation!: string;
}

@ObjectType({ description: 'A subscription that adds credits at every billing.', simpleResolvers: true })
export class CreditSubscription {
  @Field(() => Int, { description: 'Never changes.' })
  id!: number;

  @Field(() => String, { description: 'The payment processor’s id.' })
  processorSubscriptionId!: string;

  @Field(() => Int, { description: 'Who subscribed.' })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'SS58 address of who subscribed.' })
  substrateAddress!: string | null;

  @Field(() => String, { description: 'E.g. active, trialing, past_due, canceled.' })
  status!: string;

  @Field(() => String, { description: 'The plan’s name; empty for one that is not known here.' })
  planName!: string;

  @Field(() => String, { description: 'The plan’s price.' })
  priceId!: string;

  @Field(() => Float, { description: 'Per billing cycle, in the currency.' })
  amount!: number;

  @Field(() => String, { description: 'Currency code, lower case.' })
  currency!: string;

  @Field(() => String, { description: 'day, week, month or year.' })
  interval!: string;

  @Field(() => Int, { description: 'Intervals in a billing cycle.' })
  intervalCount!: number;

  @Field(() => Int, { description: 'Credits that a billing adds.' })
  creditsPerBilling!: number;

  @Field(() => DateTime, { nullable: true, description: 'Start of the billing cycle that runs.' })
  currentPeriodStart!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'End of the billing cycle that runs.' })
  currentPeriodEnd!: Date | null;

  @Field(() => Boolean, { description: 'Whether it ends with the cycle that runs.' })
  cancelAtPeriodEnd!: boolean;

  @Field(() => DateTime, { description: 'When it began.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while it runs.' })
  endedAt!: Date | null;
}

@ObjectType({ description: 'Your subscription, if you have one.', simpleResolvers: true })
export class ActiveSubscription {
  @Field(() => CreditSubscription, { nullable: true, description: 'Null when there is none.' })
  subscription!: CreditSubscription | null;

  @Field(() => Boolean, { description: 'Whether there is one.' })
  hasSubscription!: boolean;

  @Field(() => String, { nullable: true, description: 'What to do when there is none.' })
  message!: string | null;
}

@ObjectType({ description: 'A page of subscriptions.', simpleResolvers: true })
export class SubscriptionPage {
  @Field(() => Int, { description: 'Subscriptions on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Subscriptions a page holds at most.' })
  pageSize!: number;

  @Field(() => [CreditSubscription], { description: 'The newest first unless ordered otherwise.' })
  results!: CreditSubscription[];
}
