import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql';
import { CursorPage } from '../paging/page.js';
import { DateTime } from '../scalars/scalars.js';

/** How the caller of a mutation signed in. */
export const AUDIT_CALLERS = {
  SESSION: 'SESSION',
  API_TOKEN: 'API_TOKEN',
  SERVICE_TOKEN: 'SERVICE_TOKEN',
  ANONYMOUS: 'ANONYMOUS',
} as const;
export type AuditCaller = keyof typeof AUDIT_CALLERS;

registerEnumType(AUDIT_CALLERS, {
  name: 'AuditCaller',
  description: 'How the caller of a mutation signed in.',
  valuesConfig: {
    SESSION: { description: 'A user, by the access token of a session.' },
    API_TOKEN: { description: 'A user, by an API token.' },
    SERVICE_TOKEN: { description: 'A service, by its token.' },
    ANONYMOUS: { description: 'Nobody: a sign-in, a joining machine, or a webhook with its own signature.' },
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
    'A transaction of a mutation that wrote to the database. It commits together with the entry: there is none without the other. A mutation of several transactions has several entries, one that was refused or wrote nothing has none.',
  simpleResolvers: true,
})
export class AuditEntry {
  /** The user who called; 0: a service or nobody. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  userId!: number;

  @Field(() => String, { description: 'In the order of the times.' })
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

  @Field(() => String, { nullable: true, description: 'The id of the token or session; null for nobody.' })
  @Property({ type: 'text', nullable: true })
  tokenId!: string | null;

  @Field(() => String, { description: 'The X-Request-Id of the request, as in logs and traces.' })
  @Property({ type: 'text' })
  requestId!: string;

  @Field(() => String, { description: 'The IP address of the client.' })
  @Property({ type: 'text' })
  clientAddress!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The first 200 characters of the User-Agent header; null without it.',
  })
  @Property({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Field(() => [AuditId], { description: 'Ids in the arguments: what the mutation was asked to change.' })
  @Property({ type: 'jsonb' })
  argumentIds!: readonly AuditId[];

  @Field(() => [AuditId], { description: 'Ids in the result of the transaction, for example of what it created.' })
  @Property({ type: 'jsonb' })
  resultIds!: readonly AuditId[];
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
