import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity({ tableName: 'checkout' })
export class CheckoutRow {
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) mode!: string;
  @Property({ type: 'text' }) requestKey!: string;
  @Property({ type: 'uuid', nullable: true }) transactionId!: string | null;
  @Property({ type: 'text', nullable: true }) priceId!: string | null;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'text' }) status!: string;
  @Property({ type: 'text', nullable: true }) sessionId!: string | null;
  @Property({ type: 'text', nullable: true }) url!: string | null;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) expiresAt!: Date;
  @Property({ type: 'datetime', nullable: true }) askedAt!: Date | null;
}

@Entity({ tableName: 'customer' })
export class CustomerRow {
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text', nullable: true }) processorCustomerId!: string | null;
  @Property({ type: 'boolean' }) isOwn!: boolean;
  @Property({ type: 'datetime' }) createdAt!: Date;
}

@Entity({ tableName: 'deposit' })
export class DepositRow {
  @PrimaryKey({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'integer' }) derivationIndex!: number;
  @Property({ type: 'text' }) chain!: string;
  @Property({ type: 'text' }) token!: string;
  @Property({ type: 'text' }) address!: string;
  @Property({ type: 'numeric', precision: 78, scale: 0 }) expected!: string;
  @Property({ type: 'numeric', precision: 78, scale: 0, default: 0 }) received!: Opt<string>;
  @Property({ type: 'numeric', precision: 78, scale: 0, default: 0 }) observedBalance!: Opt<string>;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) quotedPrice!: string;
  @Property({ type: 'datetime' }) quotedUntil!: Date;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) valueUsd!: Opt<string>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) credits!: Opt<string>;
  @Property({ type: 'datetime' }) watchedUntil!: Date;
}

@Entity({ tableName: 'deposit_block' })
export class DepositBlockRow {
  @PrimaryKey({ type: 'text' }) chain!: string;
  @PrimaryKey({ type: 'integer', autoincrement: false }) blockNumber!: number;
  @Property({ type: 'text' }) blockHash!: string;
}

@Entity({ tableName: 'deposit_cursor' })
export class DepositCursorRow {
  @PrimaryKey({ type: 'text' }) chain!: string;
  @Property({ type: 'text' }) network!: string;
  @Property({ type: 'integer' }) blockNumber!: number;
  @Property({ type: 'text' }) blockHash!: string;
  @Property({ type: 'datetime' }) updatedAt!: Date;
}

@Entity({ tableName: 'deposit_payment' })
export class DepositPaymentRow {
  @PrimaryKey({ type: 'bigint', generated: 'identity' }) id!: Opt<string>;
  @Property({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'text' }) chain!: string;
  @Property({ type: 'text' }) reference!: string;
  @Property({ type: 'numeric', precision: 78, scale: 0 }) amount!: string;
  @Property({ type: 'text' }) token!: string;
  @Property({ type: 'integer' }) blockNumber!: number;
  @Property({ type: 'text' }) blockHash!: string;
  @Property({ type: 'datetime' }) paidAt!: Date;
  @Property({ type: 'text' }) state!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) valueUsd!: string | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) credits!: string | null;
}

@Entity({ tableName: 'dispute' })
export class DisputeRow {
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'text' }) state!: string;
}

@Entity({ tableName: 'failed_refund' })
export class FailedRefundRow {
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'uuid' }) transactionId!: string;
}

@Entity({ tableName: 'payment' })
export class PaymentRow {
  @PrimaryKey({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'text', nullable: true }) paymentIntentId!: string | null;
  @Property({ type: 'text', nullable: true }) invoiceId!: string | null;
  @Property({ type: 'text', nullable: true }) subscriptionId!: string | null;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) credits!: string;
  @Property({ type: 'text', nullable: true }) reference!: string | null;
  @Property({ type: 'bigint', defaultRaw: `0` }) refundedCents!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) refundedAt!: Date | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) taken!: Opt<string>;
  @Property({ type: 'integer', default: 0 }) reversals!: Opt<number>;
  @Property({ type: 'text', nullable: true }) flag!: string | null;
}

@Entity({ tableName: 'plan' })
export class PlanRow {
  @PrimaryKey({ type: 'text' }) priceId!: string;
  @Property({ type: 'text' }) productId!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) description!: string;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'text' }) currency!: string;
  @Property({ type: 'text' }) interval!: string;
  @Property({ type: 'integer' }) intervalCount!: number;
  @Property({ type: 'integer' }) credits!: number;
  @Property({ type: 'boolean' }) isOffered!: boolean;
  @Property({ type: 'datetime' }) fetchedAt!: Date;
}

@Entity({ tableName: 'processor_event' })
export class ProcessorEventRow {
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'text' }) type!: string;
  @Property({ type: 'text' }) payload!: string;
  @Property({ type: 'datetime' }) occurredAt!: Date;
  @Property({ type: 'datetime' }) receivedAt!: Date;
  @Property({ type: 'text' }) status!: string;
  @Property({ type: 'text', nullable: true }) waitsFor!: string | null;
  @Property({ type: 'text', nullable: true }) note!: string | null;
}

@Entity({ tableName: 'reconciliation' })
export class ReconciliationRow {
  @PrimaryKey({ type: 'boolean', default: true }) id!: Opt<boolean>;
  @Property({ type: 'datetime' }) seenUntil!: Date;
}

@Entity({ tableName: 'referral_reward' })
export class ReferralRewardRow {
  @PrimaryKey({ type: 'boolean', default: true }) isOnly!: Opt<boolean>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) credits!: Opt<string>;
}

@Entity({ tableName: 'subscription' })
export class SubscriptionRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) processorSubscriptionId!: string;
  @Property({ type: 'text' }) processorCustomerId!: string;
  @Property({ type: 'text' }) priceId!: string;
  @Property({ type: 'text' }) status!: string;
  @Property({ type: 'datetime', nullable: true }) currentPeriodStart!: Date | null;
  @Property({ type: 'datetime', nullable: true }) currentPeriodEnd!: Date | null;
  @Property({ type: 'boolean' }) cancelAtPeriodEnd!: boolean;
  @Property({ type: 'datetime' }) eventAt!: Date;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'datetime', nullable: true }) endedAt!: Date | null;
}

@Entity({ tableName: 'token_price' })
export class TokenPriceRow {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) priceUsd!: string;
  @Property({ type: 'integer' }) blockNumber!: number;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'text', defaultRaw: `'administrator'::text` }) source!: Opt<string>;
}

@Entity({ tableName: 'transaction' })
export class TransactionRow {
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'integer' }) userId!: number;
  @Property({ type: 'text' }) paymentType!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) amount!: string;
  @Property({ type: 'text' }) currency!: string;
  @Property({ type: 'integer' }) credits!: number;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) status!: Opt<string>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'datetime', nullable: true }) completedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) expiresAt!: Date | null;
  @Property({ type: 'text', nullable: true }) paymentAddress!: string | null;
  @Property({ type: 'integer', nullable: true }) substrateBlockNumber!: number | null;
  @Property({ type: 'boolean', nullable: true }) substrateSuccess!: boolean | null;
}
