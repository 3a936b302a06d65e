import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

/** Lifetime of a refresh token in days, and of its session since the last refresh. */
export const REFRESH_TTL_DAYS = 30;

@ObjectType({
  description: 'A session: a chain of refresh tokens that starts with a master token.',
  simpleResolvers: true,
})
export class Session {
  @Field(() => String, { description: 'Identifies the session, e.g. to revoke it.' })
  id!: Opt<string>;

  @Field(() => String, { nullable: true, description: 'The name that you gave it; null without one.' })
  @Property({ type: 'text', nullable: true })
  label!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The program that started it, as its User-Agent header names it; null if it was not sent.',
  })
  @Property({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Field(() => DateTime, { description: 'When the master token was issued.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the session expires unless it is refreshed.' })
  @Property({ type: 'datetime' })
  expiresAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Time of last use, to the minute; null if never used.' })
  @Property({ type: 'datetime', nullable: true })
  lastUsedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The IP address of the last use.' })
  @Property({ type: 'text', nullable: true })
  lastAddress!: string | null;

  @Field(() => Boolean, { description: 'Whether this request uses it, or a session created from it.' })
  isCurrent!: Computed<boolean>;
}

@Entity({ tableName: 'session' })
export class SessionRow extends Session {
  @PrimaryKey({ type: 'uuid', defaultRaw: `gen_random_uuid()` }) override id!: Opt<string>;
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @Property({ type: 'uuid', nullable: true }) tokenId!: string | null;
  @Property({ type: 'datetime', nullable: true }) revokedAt!: Date | null;
  @Property({ type: 'uuid', nullable: true }) parentId!: string | null;
}
