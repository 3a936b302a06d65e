import { Field, ObjectType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'An SS58 address of a user.', simpleResolvers: true })
export class SubstrateAddress {
  @Field(() => String, { description: 'The address itself; it identifies one account.' })
  id!: string;

  @Field(() => String, { description: 'SS58, network 42.' })
  address!: string;

  @Field(() => Boolean, {
    description: 'Whether ownership is proved by a signature of its key; otherwise the address is only claimed.',
  })
  isVerified!: boolean;

  @Field(() => DateTime, { description: 'When the account was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of your SS58 addresses; at most one exists.', simpleResolvers: true })
export class SubstrateAddressPage extends NumberedPage {
  @Field(() => [SubstrateAddress], { description: 'Addresses on this page.' })
  results!: SubstrateAddress[];

  @Field(() => String, {
    nullable: true,
    description: 'Your SS58 address, whether or not the search matches it; null if you have none.',
  })
  ss58Address!: string | null;
}
