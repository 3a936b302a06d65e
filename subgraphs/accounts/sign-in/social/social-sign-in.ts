import { Field, Int, ObjectType } from 'type-graphql';

/** Seconds a begun sign-in may take. */
export const LOGIN_TTL_SECONDS = 600;

/** Seconds a code lives. Source: decisions, Social sign-in */
export const CODE_TTL_SECONDS = 120;

@ObjectType({ description: 'Where a browser goes to sign in by a social provider.', simpleResolvers: true })
export class SocialSignInStart {
  @Field(() => String, { description: 'The provider’s page.' })
  location!: string;

  @Field(() => String, { description: 'Binds the sign-in to the browser: a cookie that the end has to come with.' })
  browser!: string;
}

@ObjectType({ description: 'A user as clients learn of it by a code.', simpleResolvers: true })
export class ExchangedUser {
  @Field(() => Int, { description: 'Id of the user.' })
  id!: number;

  @Field(() => String, { description: 'Unique name of the user.' })
  username!: string;

  @Field(() => String, { description: 'As verified by the provider; empty when it was not.' })
  email!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address; null until a wallet is held too.' })
  substrateAddress!: string | null;
}

@ObjectType({ description: 'What a code was traded for.', simpleResolvers: true })
export class CodeExchange {
  @Field(() => String, { description: 'API token; send it as `Authorization: Token <token>`. It lives 30 days.' })
  token!: string;

  @Field(() => ExchangedUser, { description: 'Who signed in.' })
  user!: ExchangedUser;
}

/** A begun sign-in as the database keeps it. */
export interface PendingLogin {
  readonly provider: string;
  readonly callbackUrl: string;
  readonly sealedChecks: Buffer;
}
