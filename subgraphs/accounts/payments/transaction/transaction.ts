import { Directive, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import { StatementSubject } from '../../ledger/statement/subject.js';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';
import { TRANSACTION_STATUSES, type TransactionStatus } from './transaction.rules.js';

/** The states of a transaction as a GraphQL enum whose names are its values. */
const TransactionStatusEnum = Object.fromEntries(TRANSACTION_STATUSES.map((status) => [status, status]));

registerEnumType(TransactionStatusEnum, {
  name: 'TransactionStatus',
  description:
    '`pending`, then `payment_confirmed`, then `completed`; or a state without credits, which changes to `completed` if the payment arrives later.',
});

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'A payment for credits, by card or in crypto.',
  implements: StatementSubject,
  simpleResolvers: true,
})
export class Transaction {
  @Field(() => String, { description: 'A UUID.' })
  id!: string;

  @Field(() => String, { description: 'The name of the payment processor, or `crypto`.' })
  paymentType!: string;

  @Field(() => Float, { description: 'Amount in the currency.' })
  amount!: number;

  @Field(() => String, { description: 'USD, USDC, USDT or TAO.' })
  currency!: string;

  @Field(() => Int, {
    description: 'Whole credits granted, rounded down; the balance also includes fractions.',
  })
  credits!: number;

  @Field(() => TransactionStatusEnum, {
    description:
      '`pending`, then `payment_confirmed`, then `completed`; or `failed`, `expired`, `refunded`, `disputed`. `failed` and `expired` change to `completed` if the payment arrives later, e.g. when a renewal is retried; `refunded` and `disputed` if a refund fails or a dispute is won.',
  })
  status!: TransactionStatus;

  @Field(() => DateTime, { description: 'When the transaction was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the credits were granted.' })
  completedAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'Block number of a crypto payment.' })
  substrateBlockNumber!: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the credits were granted; null while pending.' })
  substrateSuccess!: boolean | null;

  @Field(() => String, { nullable: true, description: 'Deposit address; null for card payments.' })
  paymentAddress!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sandbox page that pays a crypto deposit with test money; null for all other transactions.',
  })
  paymentUrl?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it was made with test money of the sandbox; null for older card payments.',
  })
  isSimulated?: boolean | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'Amount received and credited, in the token; null for card payments.',
  })
  received?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Credits granted, exact; null until credits are granted.' })
  creditsGranted?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Client secret to confirm a card payment; returned only once, on creation.',
  })
  clientSecret?: string | null;
}

@ObjectType({ description: 'A page of transactions.', simpleResolvers: true })
export class TransactionPage extends NumberedPage {
  @Field(() => [Transaction], { description: 'Items on this page, newest first by default.' })
  results!: Transaction[];
}
