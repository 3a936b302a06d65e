import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';
import type { DepositToken } from '../chain/token.rules.js';

export enum DepositCurrency {
  USDC = 'USDC',
  USDT = 'USDT',
  TAO = 'TAO',
}
registerEnumType(DepositCurrency, {
  name: 'DepositCurrency',
  description: 'What a deposit is paid in.',
  valuesConfig: {
    USDC: { description: 'A stable token, one US dollar each.' },
    USDT: { description: 'A stable token, one US dollar each.' },
    TAO: { description: 'Worth what the price feed says.' },
  },
});

@ObjectType({ description: 'A payment that the chain holds.', simpleResolvers: true })
export class DepositPayment {
  @Field(() => ID, { description: 'Transaction hash and place of its transfer, or address and block.' })
  reference!: string;

  @Field(() => DepositCurrency, { description: 'What was paid in.' })
  currency!: DepositToken;

  @Field(() => Decimal, { description: 'Of the currency.' })
  amount!: string;

  @Field(() => Int, { description: 'The block that holds it.' })
  blockNumber!: number;

  @Field(() => Int, { description: 'Blocks on top of that block when the chain was read last.' })
  confirmations!: number;

  @Field(() => String, {
    description: '`seen` in a block, `vanished` from the chain, `confirmed` and waiting for a price, or `credited`.',
  })
  state!: string;

  @Field(() => Decimal, { nullable: true, description: 'US dollars it was credited at; null until it is.' })
  valueUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Credits it brought, exact; null until it is credited.' })
  credits!: string | null;

  @Field(() => DateTime, { description: 'The time of its block.' })
  paidAt!: Date;
}

@ObjectType({ description: 'What is behind a transaction that is paid in crypto.', simpleResolvers: true })
export class Deposit {
  @Field(() => ID, { description: 'The transaction it belongs to.' })
  transactionId!: string;

  @Field(() => String, { description: 'The transaction’s status, e.g. `pending` or `completed`.' })
  status!: string;

  @Field(() => DepositCurrency, { description: 'What it is to be paid in.' })
  currency!: DepositToken;

  @Field(() => Decimal, { description: 'Of the currency: what was asked for.' })
  amount!: string;

  @Field(() => Decimal, { description: 'Of the currency: what came and was credited.' })
  received!: string;

  @Field(() => Decimal, { description: 'Credits it brought so far, exact: 1 USD = 1 credit.' })
  credits!: string;

  @Field(() => String, { description: 'Where to pay; of this deposit alone.' })
  paymentAddress!: string;

  @Field(() => Int, { description: 'Blocks on top of a payment before it counts; 0 where blocks are final.' })
  confirmationsNeeded!: number;

  @Field(() => Decimal, { description: 'US dollars for one of the currency, held until `quotedUntil`.' })
  quotedPriceUsd!: string;

  @Field(() => DateTime, {
    description: 'Until when the price is held, for the amount asked for; then the price of the day counts.',
  })
  quotedUntil!: Date;

  @Field(() => DateTime, { description: 'When it expires; a payment after it is credited at the price of the day.' })
  expiresAt!: Date;

  @Field(() => [DepositPayment], { description: 'Oldest first.' })
  payments!: DepositPayment[];
}

@ObjectType({ description: 'How far a chain was read.', simpleResolvers: true })
export class DepositWatch {
  @Field(() => String, { description: '`evm` or `substrate`; `sandbox-evm` or `sandbox-substrate` for play money.' })
  chain!: string;

  @Field(() => String, { description: 'The network its node serves.' })
  network!: string;

  @Field(() => Int, { description: 'The last block that was read.' })
  blockNumber!: number;

  @Field(() => Int, { description: 'Payments that were seen and are not credited yet.' })
  open!: number;

  @Field(() => DateTime, { description: 'When a block was last read.' })
  updatedAt!: Date;
}

@ObjectType({
  description: 'An address that was given out, for the operator, who holds its key.',
  simpleResolvers: true,
})
export class DepositAddress {
  @Field(() => Int, { description: 'Its key is the child `0/index` (USDC, USDT) or the soft junction `/index` (TAO).' })
  derivationIndex!: number;

  @Field(() => String, { description: '`evm` or `substrate`; `sandbox-evm` or `sandbox-substrate` for play money.' })
  chain!: string;

  @Field(() => String, { description: 'Checksummed, or SS58.' })
  address!: string;

  @Field(() => ID, { description: 'The transaction it was given out for.' })
  transactionId!: string;

  @Field(() => String, { description: 'The transaction’s status.' })
  status!: string;

  @Field(() => DepositCurrency, { description: 'What it was to be paid in.' })
  currency!: DepositToken;

  @Field(() => Decimal, { description: 'Of the currency: what came and was credited.' })
  received!: string;
}

@ObjectType({ description: 'A page of addresses.', simpleResolvers: true })
export class DepositAddressPage {
  @Field(() => Int, { description: 'Addresses on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Addresses a page holds at most.' })
  pageSize!: number;

  @Field(() => [DepositAddress], { description: 'By index.' })
  results!: DepositAddress[];
}
