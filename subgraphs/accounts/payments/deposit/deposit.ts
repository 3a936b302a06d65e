import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';
import type { DepositToken } from '../chain/token.rules.js';

export enum DepositCurrency {
  USDC = 'USDC',
  USDT = 'USDT',
  TAO = 'TAO',
}
registerEnumType(DepositCurrency, {
  name: 'DepositCurrency',
  description: 'Token of a deposit.',
  valuesConfig: {
    USDC: { description: 'A stablecoin, worth one US dollar.' },
    USDT: { description: 'A stablecoin, worth one US dollar.' },
    TAO: { description: 'Valued by the price feed.' },
  },
});

@ObjectType({ description: 'A payment on the chain.', simpleResolvers: true })
export class DepositPayment {
  @Field(() => ID, { description: 'Transaction hash and log index of the transfer, or address and block.' })
  reference!: string;

  @Field(() => DepositCurrency, { description: 'Token of the payment.' })
  currency!: DepositToken;

  @Field(() => Decimal, { description: 'Amount in the token.' })
  amount!: string;

  @Field(() => Int, { description: 'Block of the payment.' })
  blockNumber!: number;

  @Field(() => Int, { description: 'Confirmations at the last scan.' })
  confirmations!: number;

  @Field(() => String, {
    description:
      '`seen` (in a block), `vanished` (removed by a chain reorganization), `confirmed` (waits for a price) or `credited`.',
  })
  state!: string;

  @Field(() => Decimal, { nullable: true, description: 'Value in US dollars; null until credited.' })
  valueUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Credits granted, exact; null until credited.' })
  credits!: string | null;

  @Field(() => DateTime, {
    description: 'Timestamp of the block; of a payment in TAO, the earliest possible time since the previous scan.',
  })
  paidAt!: Date;
}

@ObjectType({ description: 'The deposit of a crypto transaction.', simpleResolvers: true })
export class Deposit {
  @Field(() => ID, { description: 'The id of the transaction.' })
  transactionId!: string;

  @Field(() => String, { description: 'Status of the transaction, e.g. `pending` or `completed`.' })
  status!: string;

  @Field(() => DepositCurrency, { description: 'Token to pay with.' })
  currency!: DepositToken;

  @Field(() => Decimal, { description: 'Requested amount in the token.' })
  amount!: string;

  @Field(() => Decimal, { description: 'Amount received and credited, in the token.' })
  received!: string;

  @Field(() => Decimal, { description: 'Credits granted so far, exact: 1 USD = 1 credit.' })
  credits!: string;

  @Field(() => String, { description: 'Address to pay to; used only for this deposit.' })
  paymentAddress!: string;

  @Field(() => Int, { description: 'Confirmations required; 0 if blocks are final.' })
  confirmationsNeeded!: number;

  @Field(() => Decimal, { description: 'Price of one token in US dollars, fixed until `quotedUntil`.' })
  quotedPriceUsd!: string;

  @Field(() => DateTime, {
    description: 'Until when the quoted price applies to the requested amount; afterwards the current price applies.',
  })
  quotedUntil!: Date;

  @Field(() => DateTime, {
    description: 'When the transaction expires; later payments are credited at the current price.',
  })
  expiresAt!: Date;

  @Field(() => [DepositPayment], { description: 'Oldest first.' })
  payments!: DepositPayment[];
}

@ObjectType({ description: 'Scan progress of a chain.', simpleResolvers: true })
export class DepositWatch {
  @Field(() => String, { description: '`evm` or `substrate`; `sandbox-evm` or `sandbox-substrate` for test money.' })
  @PrimaryKey({ type: 'text' })
  chain!: string;

  @Field(() => String, { description: 'The network of the node.' })
  @Property({ type: 'text' })
  network!: string;

  @Field(() => Int, { description: 'The last scanned block.' })
  @Property({ type: 'integer' })
  blockNumber!: number;

  @Field(() => Int, { description: 'Number of payments that are not credited yet.' })
  open!: Computed<number>;

  @Field(() => DateTime, { description: 'Time of the last scan.' })
  @Property({ type: 'datetime' })
  updatedAt!: Date;
}

@Entity({ tableName: 'deposit_cursor' })
export class DepositCursorRow extends DepositWatch {
  @Property({ type: 'text' }) blockHash!: string;
}

@ObjectType({
  description: 'A deposit address, for the operator, who holds its private key.',
  simpleResolvers: true,
})
export class DepositAddress {
  @Field(() => Int, {
    description: 'Key derivation index: child `0/index` (USDC, USDT) or soft junction `/index` (TAO).',
  })
  derivationIndex!: number;

  @Field(() => String, { description: '`evm` or `substrate`; `sandbox-evm` or `sandbox-substrate` for test money.' })
  chain!: string;

  @Field(() => String, { description: 'Checksummed Ethereum address, or SS58 address.' })
  address!: string;

  @Field(() => ID, { description: 'The id of the transaction.' })
  transactionId!: string;

  @Field(() => String, { description: 'Status of the transaction.' })
  status!: string;

  @Field(() => DepositCurrency, { description: 'Token to pay with.' })
  currency!: DepositToken;

  @Field(() => Decimal, { description: 'Amount received and credited, in the token.' })
  received!: string;
}

@ObjectType({ description: 'A page of addresses.', simpleResolvers: true })
export class DepositAddressPage extends NumberedPage {
  @Field(() => [DepositAddress], { description: 'Addresses, ordered by index.' })
  results!: DepositAddress[];
}
