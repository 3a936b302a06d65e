import { Field, Int, ObjectType } from 'type-graphql';
import { User } from '../../identity/user/user.js';

@ObjectType({ description: 'What a wallet has to sign.', simpleResolvers: true })
export class Challenge {
  @Field(() => String, { description: 'Names the challenge at verification.' })
  challenge!: string;

  @Field(() => String, { description: 'EIP-4361 text; sign these UTF-8 bytes with the Ethereum key by EIP-191.' })
  message!: string;

  @Field(() => Int, { description: 'Seconds until it expires.' })
  expiresIn!: number;
}

@ObjectType({ description: 'A completed sign-in.', simpleResolvers: true })
export class SignIn {
  @Field(() => String, { description: 'API token; send it as `Authorization: Token <token>`. It lives 30 days.' })
  token!: string;

  @Field(() => Boolean, { description: 'Whether this sign-in made the account.' })
  isNew!: boolean;

  @Field(() => User, { description: 'Who signed in.' })
  user!: User;
}

/** A challenge as the database keeps it. */
export interface PendingChallenge {
  readonly challenge: string;
  readonly ethereumAddress: string;
  readonly substrateAddress: string;
  readonly message: string;
}
