import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { ArgsType, Field, ObjectType } from 'type-graphql';
import { Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'Notification preferences of a user.', simpleResolvers: true })
export class NotificationPreferences {
  @Field(() => Boolean, { description: 'Whether to send notifications by e-mail as well; needs a confirmed address.' })
  @Property({ type: 'boolean', default: true })
  emailEnabled!: Opt<boolean>;

  @Field(() => Boolean, { description: 'Whether to notify when credits fall below `lowCreditLevel`.' })
  @Property({ type: 'boolean', default: true })
  lowCreditAlerts!: Opt<boolean>;

  @Field(() => Boolean, { description: 'Whether to notify when credits are used up.' })
  @Property({ type: 'boolean', default: true })
  zeroBalanceAlerts!: Opt<boolean>;

  @Field(() => Boolean, { description: 'Whether to notify about changes of files.' })
  @Property({ type: 'boolean', default: true })
  fileStatusUpdates!: Opt<boolean>;

  @Field(() => Boolean, { description: 'Whether to send news and offers; off by default.' })
  @Property({ type: 'boolean', default: false })
  marketingEmails!: Opt<boolean>;

  @Field(() => Decimal, { description: 'Threshold of `lowCreditAlerts` in credits; default 10.' })
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 10 })
  lowCreditLevel!: Opt<string>;
}

@Entity({ tableName: 'preference' })
export class PreferenceRow extends NotificationPreferences {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
}

@ArgsType()
export class PreferenceChange {
  @Field(() => Boolean, { nullable: true, description: 'Whether to send notifications by e-mail as well.' })
  emailEnabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to notify when credits fall below `lowCreditLevel`.' })
  lowCreditAlerts?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to notify when credits are used up.' })
  zeroBalanceAlerts?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to notify about changes of files.' })
  fileStatusUpdates?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to send news and offers.' })
  marketingEmails?: boolean | null;

  @Field(() => Decimal, { nullable: true, description: 'Threshold in credits, zero or more.' })
  lowCreditLevel?: string | null;
}

/** The columns of preferences in GraphQL. */
export const PREFERENCE_COLUMNS = [
  'preference.emailEnabled',
  'preference.lowCreditAlerts',
  'preference.zeroBalanceAlerts',
  'preference.fileStatusUpdates',
  'preference.marketingEmails',
  sql<string>`trim_scale(low_credit_level)::text`.as('lowCreditLevel'),
] as const;
