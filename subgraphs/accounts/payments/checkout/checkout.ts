import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A hosted page where a user pays.', simpleResolvers: true })
export class CheckoutSession {
  @Field(() => String, { description: 'A UUID.' })
  id!: string;

  @Field(() => String, { description: 'onetime or subscription.' })
  mode!: string;

  @Field(() => String, { description: 'open, complete, expired or failed.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'The page to send the payer to; null when it is closed.' })
  checkoutUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'The payment processor’s id of the page.' })
  sessionId!: string | null;

  @Field(() => String, { nullable: true, description: 'The transaction that a one-time payment completes.' })
  transactionId!: string | null;
}

@ObjectType({ description: 'The page where a user changes cards and subscriptions.', simpleResolvers: true })
export class CustomerPortal {
  @Field(() => String, { description: 'Where to send the user; it lives for minutes.' })
  portalUrl!: string;
}
