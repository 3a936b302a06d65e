import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

/** Seconds an access token lives. Source: decisions, Tokens */
export const ACCESS_TTL_SECONDS = 900;

/** Days a refresh token lives, and its session from the last refresh on. */
export const REFRESH_TTL_DAYS = 30;

@ObjectType({ description: 'A pair of tokens: one to ask with, one to go on with.', simpleResolvers: true })
export class MasterToken {
  @Field(() => String, { description: 'JWT, EdDSA, of the type `JWT`; send it as `Authorization: Bearer <token>`.' })
  accessToken!: string;

  @Field(() => String, {
    description:
      'JWT, EdDSA, of the type `refresh+jwt`: trades for the next pair, once. For this platform alone, which goes by what it keeps of it; no access token.',
  })
  refreshToken!: string;

  @Field(() => Int, { description: 'Seconds the access token lives.' })
  expiresIn!: number;

  @Field(() => String, { description: 'Always Bearer.' })
  tokenType!: string;

  @Field(() => String, { description: 'The furthest-reaching role, lower case; `user` for those without one.' })
  role!: string;

  @Field(() => String, { description: 'What the token may be used for: `platform`, all of it.' })
  scope!: string;
}

@ObjectType({ description: 'What goes on by refresh tokens, from a master token on.', simpleResolvers: true })
export class Session {
  @Field(() => String, { description: 'Names the session when it is revoked.' })
  id!: string;

  @Field(() => DateTime, { description: 'When its master token was issued.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it ends unless it is refreshed before.' })
  expiresAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was last used, to the minute; null: never.' })
  lastUsedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The network address it was last used from.' })
  lastAddress!: string | null;

  @Field(() => Boolean, { description: 'Whether it is the one you ask with.' })
  isCurrent!: boolean;
}
