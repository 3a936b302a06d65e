import { Field, Int, ObjectType } from 'type-graphql';

/** Lifetime of a started sign-in in seconds. */
export const LOGIN_TTL_SECONDS = 600;

/** Lifetime of a code in seconds. */
export const CODE_TTL_SECONDS = 120;

@ObjectType({ description: 'The start of a sign-in with a social provider.', simpleResolvers: true })
export class SocialSignInStart {
  @Field(() => String, { description: 'URL of the provider’s page.' })
  location!: string;

  @Field(() => String, { description: 'The value of the cookie that binds the sign-in to this browser.' })
  browser!: string;
}

@ObjectType({ description: 'The user of an exchanged code.', simpleResolvers: true })
export class ExchangedUser {
  @Field(() => Int, { description: 'Id of the user.' })
  id!: number;

  @Field(() => String, { description: 'Unique name of the user.' })
  username!: string;

  @Field(() => String, { description: 'The verified e-mail address of the account; empty without one.' })
  email!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address; null until a wallet is linked.' })
  substrateAddress!: string | null;
}

@ObjectType({ description: 'Result of the code exchange.', simpleResolvers: true })
export class CodeExchange {
  @Field(() => String, { description: 'API token; send it as `Authorization: Token <token>`. Valid for 30 days.' })
  token!: string;

  @Field(() => ExchangedUser, { description: 'The signed-in user.' })
  user!: ExchangedUser;
}

/** A started sign-in as stored in the database. */
export interface PendingLogin {
  readonly provider: string;
  readonly callbackUrl: string;
  readonly sealedChecks: Buffer;
}
