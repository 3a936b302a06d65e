import { Field, Int, ObjectType } from 'type-graphql';
import { User } from '../../identity/user/user.js';

@ObjectType({ description: 'The message for the wallet to sign.', simpleResolvers: true })
export class Challenge {
  @Field(() => String, { description: 'Id of the challenge, for verification.' })
  challenge!: string;

  @Field(() => String, {
    description: 'EIP-4361 text; sign its UTF-8 bytes with the Ethereum key according to EIP-191.',
  })
  message!: string;

  @Field(() => Int, { description: 'Seconds until it expires.' })
  expiresIn!: number;
}

@ObjectType({ description: 'A completed sign-in.', simpleResolvers: true })
export class SignIn {
  @Field(() => String, { description: 'API token; send it as `Authorization: Token <token>`. Valid for 30 days.' })
  token!: string;

  @Field(() => Boolean, { description: 'Whether this sign-in created the account.' })
  isNew!: boolean;

  @Field(() => User, { description: 'The signed-in user.' })
  user!: User;
}

/** A challenge as stored in the database. */
export interface PendingChallenge {
  readonly challenge: string;
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
  readonly message: string;
}
