import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { CursorPage } from '../../../../kernel/paging/page.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

/** How users turn a kind on and off: a field of their preferences. */
interface KindPreference {
  readonly field: string;
  /** Its description, without a period. */
  readonly meaning: string;
  /** The default of `accounts.preference.muted_kinds` names the kind. */
  readonly isOffByDefault?: true;
}

/** The kinds of notifications, with the preference that enables e-mail and webhooks; null: always sent. */
export const NOTICE_KINDS = {
  low_credit: { field: 'lowCreditAlerts', meaning: 'Whether to notify when credits fall below `lowCreditLevel`' },
  zero_balance: { field: 'zeroBalanceAlerts', meaning: 'Whether to notify when credits are used up' },
  payment: null,
  subscription_ending: null,
  account: null,
  machine: { field: 'machineUpdates', meaning: 'Whether to notify when a machine runs, stops or fails' },
  file_status: { field: 'fileStatusUpdates', meaning: 'Whether to notify about changes of files' },
  marketing: { field: 'marketingEmails', meaning: 'Whether to send news and offers', isOffByDefault: true },
} as const satisfies Readonly<Record<string, KindPreference | null>>;
export type NoticeKind = keyof typeof NOTICE_KINDS;

const KIND_NAMES = Object.keys(NOTICE_KINDS);
const ALWAYS_SENT = Object.entries(NOTICE_KINDS).flatMap(([kind, preference]) => (preference ? [] : [`\`${kind}\``]));

/** The kinds as a GraphQL enum whose names are its values. */
export const NoticeKindEnum = Object.fromEntries(KIND_NAMES.map((kind) => [kind, kind]));

registerEnumType(NoticeKindEnum, {
  name: 'NotificationKind',
  description: `Kind of notification. Always sent: ${ALWAYS_SENT.join(', ')}; the others depend on your preferences.`,
});

@ObjectType({ description: 'A notification.', simpleResolvers: true })
export class Notification {
  @Field(() => String, { description: 'Id of the notification, also its cursor.' })
  @PrimaryKey({ type: 'bigint', generated: 'identity' })
  id!: Opt<string>;

  @Field(() => NoticeKindEnum, { description: 'Kind of notification.' })
  @Property({ type: 'text' })
  kind!: NoticeKind;

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
  @Property({ type: 'integer' }) userId!: number;
  /** Unique for the user. */
  @Property({ type: 'text' }) key!: string;
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

/** The columns of a notification `n` in GraphQL. */
export const NOTIFICATION_COLUMNS = [
  'n.id',
  'n.kind',
  'n.title',
  'n.text',
  'n.link',
  'n.createdAt',
  'n.readAt',
] as const;
