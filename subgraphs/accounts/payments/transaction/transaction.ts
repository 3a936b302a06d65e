import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { TRANSACTION_STATUSES, type TransactionStatus } from './transaction.rules.js';

/** The states of a transaction as a GraphQL enum whose names are its values. */
const TransactionStatusEnum = Object.fromEntries(TRANSACTION_STATUSES.map((status) => [status, status]));

registerEnumType(TransactionStatusEnum, {
  name: 'TransactionStatus',
  description:
    'pending, then payment_confirmed, then completed; or one of the ends that give no credits, which become completed when the money is there after all.',
});

@ObjectType({ description: 'A payment for credits, by card or in crypto.', simpleResolvers: true })
export class Transaction {
  @Field(() => String, { description: 'A UUID.' })
  id!: string;

  @Field(() => String, { description: 'The word for the payment processor, or crypto.' })
  paymentType!: string;

  @Field(() => Float, { description: 'In the currency.' })
  amount!: number;

  @Field(() => String, { description: 'USD, USDC, USDT or TAO.' })
  currency!: string;

  @Field(() => Int, {
    description: 'Whole credits it gives, rounded down; the balance is exact and also has what is less than one.',
  })
  credits!: number;

  @Field(() => TransactionStatusEnum, {
    description:
      'What has become of it: pending, then payment_confirmed, then completed; or failed, expired, refunded, disputed. The money decides: failed and expired become completed when it arrives after all, as with a renewal that is tried again; refunded and disputed when a refund fails or a dispute is won.',
  })
  status!: TransactionStatus;

  @Field(() => DateTime, { description: 'When it was opened.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When its credits were given.' })
  completedAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'The block that holds a crypto payment.' })
  substrateBlockNumber!: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the credits are there; null while it is undecided.' })
  substrateSuccess!: boolean | null;

  @Field(() => String, { nullable: true, description: 'Where to pay in crypto; null for payments by card.' })
  paymentAddress!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The page of the sandbox on which a crypto payment is made with play money; null for all others.',
  })
  paymentUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Lets the payer’s client confirm a payment by card; told once, when it is created.',
  })
  clientSecret?: string | null;
}

@ObjectType({ description: 'A page of transactions.', simpleResolvers: true })
export class TransactionPage {
  @Field(() => Int, { description: 'Transactions on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Transactions a page holds at most.' })
  pageSize!: number;

  @Field(() => [Transaction], { description: 'The newest first unless ordered otherwise.' })
  results!: Transaction[];
}
