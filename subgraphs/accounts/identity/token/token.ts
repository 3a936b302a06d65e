import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { RoleEnum } from '../user/user.js';
import type { Role } from '../../../../kernel/viewer.js';

/** Days an API token of a user lives. Source: decisions, Tokens. */
export const TOKEN_TTL_DAYS = 30;

@ObjectType({
  description: 'A token by which a user or a service is known. Its text is not kept and cannot be read.',
  simpleResolvers: true,
})
export class Token {
  @Field(() => String, { description: 'Names the token when it is revoked.' })
  id!: string;

  @Field(() => String, { description: 'How it came about, or the service that holds it.' })
  name!: string;

  @Field(() => DateTime, { description: 'When it was issued.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it stops working; null: when it is revoked.' })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was last used, to the minute; null: never.' })
  lastUsedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The network address it was last used from.' })
  lastAddress!: string | null;

  @Field(() => Boolean, { description: 'Whether it is the one you ask with.' })
  isCurrent!: boolean;
}

@ObjectType({ description: 'A new token with its text, which is shown this once.', simpleResolvers: true })
export class IssuedToken {
  @Field(() => String, { description: 'Names the token when it is revoked.' })
  id!: string;

  @Field(() => String, { description: 'The service that holds it.' })
  name!: string;

  @Field(() => String, { description: 'Send it as `Authorization: ServiceToken <token>`.' })
  token!: string;

  @Field(() => [RoleEnum], { description: 'What the service may do.' })
  roles!: Role[];
}

@ObjectType({ description: 'The token of a service; its text was shown once.', simpleResolvers: true })
export class ServiceToken {
  @Field(() => String, { description: 'Names the token, to revoke it.' })
  id!: string;

  @Field(() => String, { description: 'The service that holds it.' })
  name!: string;

  @Field(() => [RoleEnum], { description: 'What the service may do.' })
  roles!: Role[];

  @Field(() => DateTime, { description: 'When it was issued.' })
  createdAt!: Date;
}

@ObjectType({ description: 'Whose an API token is.', simpleResolvers: true })
export class TokenCheck {
  @Field(() => Boolean, { description: 'Always true: an unknown token is an error of its own.' })
  valid!: boolean;

  @Field(() => Int, { nullable: true, description: 'Null for the token of a service.' })
  userId!: number | null;

  @Field(() => String, { description: 'The name of the user or of the service.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address of the user, if there is one.' })
  substrateAddress!: string | null;
}

@ObjectType({
  description: 'Who a token stands for, as the gateway tells it to every subgraph.',
  simpleResolvers: true,
})
export class TokenHolder {
  @Field(() => String, { description: 'Names the token.' })
  tokenId!: string;

  @Field(() => Int, { nullable: true, description: 'Null for a service.' })
  userId!: number | null;

  @Field(() => String, { description: 'The name of the user or of the service.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address of the user, if there is one.' })
  substrateAddress!: string | null;

  @Field(() => [RoleEnum], { description: 'Roles of the user or of the service.' })
  roles!: Role[];

  @Field(() => DateTime, { nullable: true, description: 'When the token stops working.' })
  expiresAt!: Date | null;
}
