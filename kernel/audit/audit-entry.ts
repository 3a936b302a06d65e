import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Directive, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { CursorPage } from '../paging/page.js';
import { DateTime } from '../scalars/scalars.js';

/** How the caller of a mutation signed in. */
export const AUDIT_CALLERS = {
  SESSION: 'SESSION',
  API_TOKEN: 'API_TOKEN',
  SERVICE_TOKEN: 'SERVICE_TOKEN',
  ANONYMOUS: 'ANONYMOUS',
  PLATFORM: 'PLATFORM',
} as const;
export type AuditCaller = keyof typeof AUDIT_CALLERS;

/** The kind of caller that made a change to another user's data. */
export const AUDIT_ACTORS = {
  ADMINISTRATOR: 'ADMINISTRATOR',
  SERVICE: 'SERVICE',
  PLATFORM: 'PLATFORM',
  USER: 'USER',
} as const;
export type AuditActor = keyof typeof AUDIT_ACTORS;

registerEnumType(AUDIT_CALLERS, {
  name: 'AuditCaller',
  description: 'How the caller of a mutation signed in.',
  valuesConfig: {
    SESSION: { description: 'A user, by the access token of a session.' },
    API_TOKEN: { description: 'A user, by an API token.' },
    SERVICE_TOKEN: { description: 'A service, by its token.' },
    ANONYMOUS: { description: 'Nobody: a sign-in, a joining machine, or a webhook with its own signature.' },
    PLATFORM: { description: 'The platform itself: a call between its parts.' },
  },
});

registerEnumType(AUDIT_ACTORS, {
  name: 'AuditActor',
  description: "The kind of caller that made a change to another user's data.",
  valuesConfig: {
    ADMINISTRATOR: { description: 'A user or a service with the role ADMIN.' },
    SERVICE: { description: 'A service without this role.' },
    PLATFORM: {
      description: 'The platform itself, for example when an ordered machine gets its place in the network.',
    },
    USER: { description: 'Another user.' },
  },
});

@Directive('@shareable')
@ObjectType({ description: 'An id in the arguments or in the result of a mutation.', simpleResolvers: true })
export class AuditId {
  @Field(() => String, { description: 'The argument or field, for example `groupId`.' })
  name!: string;

  @Field(() => String, { description: 'The id.' })
  value!: string;
}

@Directive('@shareable')
@ObjectType({
  description:
    'A mutation that changed the database. The entry commits together with the change, or with the first of several: there is none without the other. A mutation that was refused or changed nothing has no entry.',
  simpleResolvers: true,
})
export class AuditEntry {
  /** Whose log it is; 0: that of services and callers without a token. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  userId!: number;

  @Field(() => String, { description: 'Unique id; increases with time.' })
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Field(() => DateTime, { description: 'When the transaction ended.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => String, {
    description: 'The name of the mutation, for example `createGroup`; that of a REST route too.',
  })
  @Property({ type: 'text' })
  mutation!: string;

  @Field(() => AUDIT_CALLERS, { description: 'How the caller signed in.' })
  @Property({ type: 'text' })
  caller!: AuditCaller;

  @Field(() => AUDIT_ACTORS, {
    nullable: true,
    description:
      'Who made the change, if it was neither the user of this log nor a caller without a token; else null. In an entry with an actor, only administrators see `actorId`, `tokenId`, `clientAddress` and `userAgent`.',
  })
  @Property({ type: 'text', nullable: true })
  actor!: AuditActor | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the user who made the change, in an entry with an actor; null for a service.',
  })
  @Property({ type: 'integer', nullable: true })
  actorId!: number | null;

  @Field(() => String, { nullable: true, description: 'The id of the token or session; null for an anonymous caller.' })
  @Property({ type: 'text', nullable: true })
  tokenId!: string | null;

  @Field(() => String, { description: 'The X-Request-Id of the request, as in logs and traces.' })
  @Property({ type: 'text' })
  requestId!: string;

  @Field(() => String, { nullable: true, description: 'The IP address of the client; null for the platform.' })
  @Property({ type: 'text', nullable: true })
  clientAddress!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The first 200 characters of the User-Agent header; null without it.',
  })
  @Property({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Field(() => [AuditId], { description: 'Ids in the arguments of the mutation.' })
  @Property({ type: 'jsonb' })
  argumentIds!: readonly AuditId[];

  @Field(() => [AuditId], { description: 'Ids in the result of the transaction, for example of what it created.' })
  @Property({ type: 'jsonb' })
  resultIds!: readonly AuditId[];

  @Field(() => [AuditId], {
    description:
      'The ids in rows before the mutation deleted these rows or replaced an id in them, for example `policy.destGroupId`.',
  })
  @Property({ type: 'jsonb', defaultRaw: `'[]'::jsonb` })
  previousIds!: Opt<readonly AuditId[]>;
}

@Directive('@shareable')
@ObjectType({ description: 'A page of an audit log, newest first.', simpleResolvers: true })
export class AuditPage extends CursorPage {
  @Field(() => [AuditEntry], { description: 'The entries of the page.' })
  results!: AuditEntry[];
}

/** The table of each subgraph. */
@Entity({ tableName: 'audit_entry' })
export class AuditEntryRow extends AuditEntry {}
