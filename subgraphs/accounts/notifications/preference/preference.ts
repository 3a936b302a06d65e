import { ArgsType, Field, ObjectType } from 'type-graphql';
import { Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'Notification preferences of a user.', simpleResolvers: true })
export class NotificationPreferences {
  @Field(() => Boolean, { description: 'Whether to send notifications by e-mail as well; needs a confirmed address.' })
  emailEnabled!: boolean;

  @Field(() => Boolean, { description: 'Whether to notify when credits fall below `lowCreditLevel`.' })
  lowCreditAlerts!: boolean;

  @Field(() => Boolean, { description: 'Whether to notify when credits are used up.' })
  zeroBalanceAlerts!: boolean;

  @Field(() => Boolean, { description: 'Whether to notify about changes of files.' })
  fileStatusUpdates!: boolean;

  @Field(() => Boolean, { description: 'Whether to send news and offers; off by default.' })
  marketingEmails!: boolean;

  @Field(() => Decimal, { description: 'Threshold of `lowCreditAlerts` in credits; default 10.' })
  lowCreditLevel!: string;
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

/** The columns of preferences under the names of their fields. */
export const PREFERENCE_COLUMNS = `
  email_enabled AS "emailEnabled", low_credit_alerts AS "lowCreditAlerts", zero_balance_alerts AS "zeroBalanceAlerts",
  file_status_updates AS "fileStatusUpdates", marketing_emails AS "marketingEmails",
  trim_scale(low_credit_level)::text AS "lowCreditLevel"`;
