import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A hosted checkout page.', simpleResolvers: true })
export class CheckoutSession {
  @Field(() => String, { description: 'A UUID.' })
  id!: string;

  @Field(() => String, { description: '`onetime` or `subscription`.' })
  mode!: string;

  @Field(() => String, { description: '`open`, `complete`, `expired` or `failed`.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'URL of the page for the payer; null if the page is closed.' })
  checkoutUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Id of the checkout session at the payment processor.' })
  sessionId!: string | null;

  @Field(() => String, { nullable: true, description: 'The transaction of a one-time payment.' })
  transactionId!: string | null;
}

@ObjectType({
  description: 'The customer portal, where a user manages cards and subscriptions.',
  simpleResolvers: true,
})
export class CustomerPortal {
  @Field(() => String, { description: 'URL for the user; valid for a few minutes.' })
  portalUrl!: string;
}
