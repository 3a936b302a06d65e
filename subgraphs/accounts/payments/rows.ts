import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ChainName } from './chain/chain.js';
import type { DepositToken } from './chain/token.rules.js';
import type { DisputeEvent } from './processor/processor-event-data.js';
import type { TransactionStatus } from './transaction/transaction.rules.js';

/** The key of a checkout page. */
export interface CheckoutKey {
  readonly userId: number;
  readonly id: string;
}

@Entity({ tableName: 'customer' })
export class CustomerRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'text', nullable: true }) processorCustomerId!: string | null;
  @Property({ type: 'boolean' }) isPlatformCreated!: boolean;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime', nullable: true }) deletedAt!: Date | null;
}

@Entity({ tableName: 'deposit' })
export class DepositRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'integer' }) derivationIndex!: number;
  @Property({ type: 'text' }) chain!: ChainName;
  @Property({ type: 'text' }) token!: DepositToken;
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

@Entity({ tableName: 'deposit_payment' })
export class DepositPaymentRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) id!: Opt<string>;
  @Property({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'text' }) chain!: string;
  @Property({ type: 'text' }) reference!: string;
  @Property({ type: 'numeric', precision: 78, scale: 0 }) amount!: string;
  @Property({ type: 'text' }) token!: DepositToken;
  @Property({ type: 'integer' }) blockNumber!: number;
  @Property({ type: 'text' }) blockHash!: string;
  @Property({ type: 'datetime' }) paidAt!: Date;
  @Property({ type: 'text' }) state!: 'seen' | 'vanished' | 'confirmed' | 'credited';
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) valueUsd!: string | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, nullable: true }) credits!: string | null;
}

@Entity({ tableName: 'dispute' })
export class DisputeRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'text' }) state!: DisputeEvent['state'];
}

@Entity({ tableName: 'failed_refund' })
export class FailedRefundRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'text' }) id!: string;
  @Property({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'bigint', defaultRaw: `0` }) cents!: Opt<string>;
  @Property({ type: 'datetime', defaultRaw: `to_timestamp((0)::double precision)` }) createdAt!: Opt<Date>;
  @Property({ type: 'datetime', defaultRaw: `to_timestamp((0)::double precision)` }) failedAt!: Opt<Date>;
}

@Entity({ tableName: 'payment' })
export class PaymentRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'uuid' }) transactionId!: string;
  @Property({ type: 'text', nullable: true }) paymentIntentId!: string | null;
  @Property({ type: 'text', nullable: true }) invoiceId!: string | null;
  @Property({ type: 'text', nullable: true }) subscriptionId!: string | null;
  @Property({ type: 'bigint' }) cents!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) credits!: string;
  @Property({ type: 'text', nullable: true }) reference!: string | null;
  @Property({ type: 'bigint', defaultRaw: `0` }) refundedCents!: Opt<string>;
  @Property({ type: 'datetime', nullable: true }) refundedAt!: Date | null;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) takenBack!: Opt<string>;
  @Property({ type: 'integer', default: 0 }) reversalCount!: Opt<number>;
  @Property({ type: 'text', nullable: true }) flagReason!: string | null;
  @Property({ type: 'datetime', nullable: true }) queriedAt!: Date | null;
  @Property({ type: 'bigint', nullable: true }) chargedCents!: string | null;
  @Property({ type: 'boolean', nullable: true }) isSimulated!: boolean | null;
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

@Entity({ tableName: 'reconciliation' })
export class ReconciliationRow {
  @PrimaryKey({ type: 'boolean', default: true }) id!: Opt<boolean>;
  @Property({ type: 'datetime' }) reconciledUntil!: Date;
}

@Entity({ tableName: 'referral_reward' })
export class ReferralRewardRow {
  @PrimaryKey({ type: 'boolean', default: true }) isOnly!: Opt<boolean>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 0 }) credits!: Opt<string>;
}

@Entity({ tableName: 'transaction' })
export class TransactionRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) id!: Opt<string>;
  @Property({ type: 'text' }) paymentType!: string;
  @Property({ type: 'numeric', precision: 38, scale: 18 }) amount!: string;
  @Property({ type: 'text' }) currency!: string;
  @Property({ type: 'integer' }) credits!: number;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) status!: Opt<TransactionStatus>;
  @Property({ type: 'datetime' }) createdAt!: Date;
  @Property({ type: 'datetime' }) updatedAt!: Date;
  @Property({ type: 'datetime', nullable: true }) completedAt!: Date | null;
  @Property({ type: 'datetime', nullable: true }) expiresAt!: Date | null;
  @Property({ type: 'text', nullable: true }) paymentAddress!: string | null;
  @Property({ type: 'integer', nullable: true }) substrateBlockNumber!: number | null;
  @Property({ type: 'boolean', nullable: true }) substrateSuccess!: boolean | null;
}

@Entity({ tableName: 'transaction_count' })
export class TransactionCountRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @Property({ type: 'bigint' }) count!: string;
}

@Entity({ tableName: 'unlinked_customer' })
export class UnlinkedCustomerRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'text' }) processorCustomerId!: string;
  @Property({ type: 'datetime' }) unlinkedAt!: Date;
}
