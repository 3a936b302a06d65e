import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';

@ObjectType({ description: 'A hosted checkout page.', simpleResolvers: true })
export class CheckoutSession {
  @Field(() => String, { description: 'A UUID.' })
  id!: Opt<string>;

  @Field(() => String, { description: '`onetime` or `subscription`.' })
  @Property({ type: 'text' })
  mode!: string;

  @Field(() => String, { description: '`open`, `complete`, `expired` or `failed`.' })
  @Property({ type: 'text' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'URL of the page for the payer; null if the page is closed.' })
  checkoutUrl!: Computed<string> | null;

  @Field(() => String, { nullable: true, description: 'Id of the checkout session at the payment processor.' })
  @Property({ type: 'text', nullable: true })
  sessionId!: string | null;

  @Field(() => String, { nullable: true, description: 'The transaction of a one-time payment.' })
  @Property({ type: 'uuid', nullable: true })
  transactionId!: string | null;
}

@Entity({ tableName: 'checkout' })
export class CheckoutRow extends CheckoutSession {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) override id!: Opt<string>;
  /** A hash of the request, to find its page when the request is repeated. */
  @Property({ type: 'text' }) requestKey!: string;
  @Property({ type: 'text', nullable: true }) priceId!: string | null;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'text', nullable: true }) url!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  /** When the processor was last asked to open this page, or queried about it. */
  @Property({ type: 'datetime', nullable: true }) requestedAt!: Date | null;
}

@ObjectType({
  description: 'The customer portal, where a user manages cards and subscriptions.',
  simpleResolvers: true,
})
export class CustomerPortal {
  @Field(() => String, { description: 'URL for the user; valid for a few minutes.' })
  portalUrl!: string;
}
