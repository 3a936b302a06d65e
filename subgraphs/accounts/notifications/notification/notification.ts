import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { CursorPage } from '../../../../kernel/paging/page.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import { NoticeSeverityEnum, type NoticeSeverity } from './severity.js';

/** A kind in words. With a `field` of their preferences, users turn it on and off for e-mail and webhooks. */
interface KindWords {
  /** Shown by the dashboard, and the description of the GraphQL value; without a period. */
  readonly title: string;
  /** Of notifications that are sent without another. */
  readonly severity: NoticeSeverity;
  readonly field?: string;
  /** Of a `field`: follows "Whether to notify" in its description, and labels it in the dashboard; without a period. */
  readonly meaning?: string;
  /** The default of `accounts.preference.muted_kinds` names the kind. */
  readonly isOffByDefault?: true;
}

/** The kinds of notifications, in the order of the dashboard. */
export const NOTICE_KINDS = {
  payment: { title: 'Payments', severity: 'info' },
  low_credit: {
    title: 'Low credits',
    severity: 'warning',
    field: 'lowCreditAlerts',
    meaning: 'when credits fall below a level',
  },
  zero_balance: {
    title: 'Credits used up',
    severity: 'critical',
    field: 'zeroBalanceAlerts',
    meaning: 'when credits are used up',
  },
  subscription_ending: { title: 'Subscription ends', severity: 'warning' },
  account: { title: 'Account', severity: 'warning' },
  machine: {
    title: 'Machines',
    severity: 'info',
    field: 'machineUpdates',
    meaning: 'when a machine runs, stops or fails',
  },
  peer: {
    title: 'Peers',
    severity: 'info',
    field: 'peerUpdates',
    meaning: 'when peers join, go offline, come back or are removed, and before their certificates end',
  },
  policy: {
    title: 'Policies',
    severity: 'info',
    field: 'policyUpdates',
    meaning: 'when policies are created, changed, enabled, disabled or deleted',
  },
  file_status: { title: 'Files', severity: 'info', field: 'fileStatusUpdates', meaning: 'about changes of files' },
  marketing: {
    title: 'News and offers',
    severity: 'info',
    field: 'marketingEmails',
    meaning: 'about news and offers',
    isOffByDefault: true,
  },
} as const satisfies Readonly<Record<string, KindWords>>;
export type NoticeKind = keyof typeof NOTICE_KINDS;

const KINDS = Object.entries(NOTICE_KINDS);
const ALWAYS_SENT = KINDS.flatMap(([kind, words]) => ('field' in words ? [] : [`\`${kind}\``]));

/** The kinds as a GraphQL enum whose names are its values. */
export const NoticeKindEnum = Object.fromEntries(KINDS.map(([kind]) => [kind, kind]));

registerEnumType(NoticeKindEnum, {
  name: 'NotificationKind',
  description: `Kind of notification. Always sent: ${ALWAYS_SENT.join(', ')}; the others depend on your preferences.`,
  valuesConfig: Object.fromEntries(KINDS.map(([kind, { title }]) => [kind, { description: `${title}.` }])),
});

@ObjectType({ description: 'A notification.', simpleResolvers: true })
export class Notification {
  @Field(() => String, { description: 'Id of the notification, also its cursor.' })
  id!: Opt<string>;

  @Field(() => NoticeKindEnum, { description: 'Kind of notification.' })
  @Property({ type: 'text' })
  kind!: NoticeKind;

  @Field(() => NoticeSeverityEnum, { description: 'How urgent it is: that of its kind, or of this notification.' })
  severity!: Computed<NoticeSeverity>;

  @Field(() => String, { description: 'Title.' })
  @Property({ type: 'text' })
  title!: string;

  @Field(() => String, { description: 'Text of the notification.' })
  @Property({ type: 'text' })
  text!: string;

  @Field(() => String, { nullable: true, description: 'Path of a related page, relative to the public URL.' })
  @Property({ type: 'text', nullable: true })
  link!: string | null;

  @Field(() => DateTime, { description: 'When the notification was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When you marked it as read; null if unread.' })
  @Property({ type: 'datetime', nullable: true })
  readAt!: Date | null;
}

@Entity({ tableName: 'notification' })
export class NotificationRow extends Notification {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) override id!: Opt<string>;
  /** Unique for the user. */
  @Property({ type: 'text' }) key!: string;
  /** Null: that of its kind. */
  @Property({ type: 'text', nullable: true }) ownSeverity!: NoticeSeverity | null;
  /** The transaction that added it. */
  @Property({ type: 'xid8', defaultRaw: `pg_current_xact_id()` }) addedBy!: Opt<string>;
  /** When its deliveries were planned. */
  @Property({ type: 'datetime', nullable: true }) plannedAt!: Date | null;
}

@ObjectType({ description: 'Notifications, newest first.', simpleResolvers: true })
export class NotificationPage extends CursorPage {
  @Field(() => [Notification], { description: 'Items on this page, newest first.' })
  results!: Notification[];

  @Field(() => Int, { description: 'Total number of your unread notifications.' })
  unreadCount!: number;
}

const OF_KIND = sql.join(
  KINDS.map(([kind, { severity }]) => sql`WHEN ${sql.lit(kind)} THEN ${sql.lit(severity)}`),
  sql` `,
);

/** The columns of a notification `n` in GraphQL. */
export const NOTIFICATION_COLUMNS = [
  'n.id',
  'n.kind',
  sql<NoticeSeverity>`coalesce(n.own_severity, CASE n.kind ${OF_KIND} END)`.as('severity'),
  'n.title',
  'n.text',
  'n.link',
  'n.createdAt',
  'n.readAt',
] as const;
