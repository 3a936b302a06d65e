import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'An SS58 address of a user.', simpleResolvers: true })
export class SubstrateAddress {
  @Field(() => String, { description: 'The address itself: it names one account.' })
  id!: string;

  @Field(() => String, { description: 'SS58, network 42.' })
  address!: string;

  @Field(() => Boolean, { description: 'Whether its key has signed; else it is only claimed.' })
  isVerified!: boolean;

  @Field(() => DateTime, { description: 'When its account began.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of your SS58 addresses, of which there is one at most.', simpleResolvers: true })
export class SubstrateAddressPage {
  @Field(() => Int, { description: 'Addresses on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Addresses a page holds at most.' })
  pageSize!: number;

  @Field(() => [SubstrateAddress], { description: 'Those found.' })
  results!: SubstrateAddress[];

  @Field(() => String, { nullable: true, description: 'Your SS58 address, found or not; null where you have none.' })
  ss58Address!: string | null;
}
