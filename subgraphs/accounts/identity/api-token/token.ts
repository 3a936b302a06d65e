import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import type { Role } from '../../../../kernel/security/viewer.js';
import { RoleEnum } from '../user/user.js';

/** Lifetime of a user's API token in days. */
export const TOKEN_TTL_DAYS = 30;

@ObjectType({
  description: 'An API token of a user or a service. Only its hash is stored; the token itself cannot be read again.',
  simpleResolvers: true,
})
export class Token {
  @Field(() => String, { description: 'Identifies the token, e.g. to revoke it.' })
  @Property({ type: 'uuid', defaultRaw: `gen_random_uuid()` })
  id!: Opt<string>;

  @Field(() => String, {
    description: 'The name that its user gave it, the kind of sign-in that issued it, or the name of its service.',
  })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => DateTime, { description: 'When the token was issued.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the token expires; null if it is valid until revoked.' })
  @Property({ type: 'datetime', nullable: true })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Time of last use, to the minute; null if never used.' })
  @Property({ type: 'datetime', nullable: true })
  lastUsedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The IP address of the last use.' })
  @Property({ type: 'text', nullable: true })
  lastAddress!: string | null;

  @Field(() => Boolean, { description: 'Whether this request uses it, or a session created with it.' })
  isCurrent!: Computed<boolean>;
}

@Entity({ tableName: 'token' })
export class TokenRow extends Token {
  @PrimaryKey({ type: 'text' }) hash!: string;
  @Property({ type: 'integer', nullable: true }) userId!: number | null;
  @Property({ type: 'text[]', defaultRaw: `'{}'::text[]` }) roles!: Opt<Role[]>;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
  @Property({ type: 'boolean', default: false }) isUserCreated!: Opt<boolean>;
}

@ObjectType({ description: 'A new API token with its secret text, which is shown only once.', simpleResolvers: true })
export class CreatedToken {
  @Field(() => String, { description: 'Identifies the token, e.g. to revoke it.' })
  id!: string;

  @Field(() => String, { description: 'The name that its user gave it.' })
  name!: string;

  @Field(() => String, { description: 'Send it as `Authorization: Token <token>`.' })
  token!: string;

  @Field(() => DateTime, { description: 'When the token expires.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'A new token with its secret text, which is shown only once.', simpleResolvers: true })
export class IssuedToken {
  @Field(() => String, { description: 'Identifies the token, e.g. to revoke it.' })
  id!: string;

  @Field(() => String, { description: 'The service that holds it.' })
  name!: string;

  @Field(() => String, { description: 'Send it as `Authorization: ServiceToken <token>`.' })
  token!: string;

  @Field(() => [RoleEnum], { description: 'Roles of the service.' })
  roles!: Role[];
}

@ObjectType({ description: 'The token of a service, without its secret text.', simpleResolvers: true })
export class ServiceToken {
  @Field(() => String, { description: 'Identifies the token, e.g. to revoke it.' })
  id!: string;

  @Field(() => String, { description: 'The service that holds it.' })
  name!: string;

  @Field(() => [RoleEnum], { description: 'Roles of the service.' })
  roles!: Role[];

  @Field(() => DateTime, { description: 'When the token was issued.' })
  createdAt!: Date;
}

@ObjectType({ description: 'The owner of an API token.', simpleResolvers: true })
export class TokenCheck {
  @Field(() => Boolean, { description: 'Always true; an unknown token returns an error.' })
  valid!: boolean;

  @Field(() => Int, { nullable: true, description: 'The id of the user; null for a service token.' })
  userId!: number | null;

  @Field(() => String, { description: 'The name of the user or of the service.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address of the user; null if the user has none.' })
  substrateAddress!: string | null;
}

@ObjectType({
  description: 'The authenticated user or service, as the gateway passes it to every subgraph.',
  simpleResolvers: true,
})
export class TokenHolder {
  @Field(() => String, { description: 'Id of the token.' })
  tokenId!: string;

  @Field(() => Int, { nullable: true, description: 'Id of the user; null for a service.' })
  userId!: number | null;

  @Field(() => String, { description: 'The name of the user or of the service.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address of the user; null if the user has none.' })
  substrateAddress!: string | null;

  @Field(() => [RoleEnum], { description: 'Roles of the user or of the service.' })
  roles!: Role[];

  @Field(() => DateTime, { nullable: true, description: 'When the token expires.' })
  expiresAt!: Date | null;
}
