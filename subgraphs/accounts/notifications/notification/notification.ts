import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

/** What a notification is about; decides which preference lets it through by e-mail and webhook. */
export const NOTICE_KINDS = [
  'low_credit',
  'zero_balance',
  'payment',
  'subscription_ending',
  'account',
  'file_status',
  'marketing',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The kinds as a GraphQL enum whose names are its values. */
export const NoticeKindEnum = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, kind]));

registerEnumType(NoticeKindEnum, {
  name: 'NotificationKind',
  description:
    'What a notification is about. Payment, subscription_ending and account are always told; the rest as preferred.',
});

@ObjectType({ description: 'Something that you were told.', simpleResolvers: true })
export class Notification {
  @Field(() => String, { description: 'Also the cursor that stands for it.' })
  id!: string;

  @Field(() => NoticeKindEnum, { description: 'What it is about.' })
  kind!: NoticeKind;

  @Field(() => String, { description: 'A headline.' })
  title!: string;

  @Field(() => String, { description: 'What there is to say.' })
  text!: string;

  @Field(() => String, { nullable: true, description: 'Where to look further, below the public address.' })
  link!: string | null;

  @Field(() => DateTime, { description: 'When it was told.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When you marked it as read; null: not yet.' })
  readAt!: Date | null;
}

@ObjectType({ description: 'Notifications, newest first.', simpleResolvers: true })
export class NotificationPage {
  @Field(() => [Notification], { description: 'Newest first.' })
  results!: Notification[];

  @Field(() => String, {
    nullable: true,
    description: 'Give it as `after` for those that follow; null: these are all.',
  })
  nextCursor!: string | null;

  @Field(() => Int, { description: 'Unread ones among all of yours.' })
  unreadCount!: number;
}

/** The columns of a notification under the names of its fields. */
export const NOTIFICATION_COLUMNS =
  'n.id::text AS id, n.kind, n.title, n.text, n.link, n.created_at AS "createdAt", n.read_at AS "readAt"';
