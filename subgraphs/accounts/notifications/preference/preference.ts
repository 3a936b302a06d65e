import { ArgsType, Field, ObjectType } from 'type-graphql';
import { Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'What a user wants to be told, and how.', simpleResolvers: true })
export class NotificationPreferences {
  @Field(() => Boolean, { description: 'By e-mail too, once an address is confirmed.' })
  emailEnabled!: boolean;

  @Field(() => Boolean, { description: 'When credits fall below `lowCreditLevel`.' })
  lowCreditAlerts!: boolean;

  @Field(() => Boolean, { description: 'When credits are used up.' })
  zeroBalanceAlerts!: boolean;

  @Field(() => Boolean, { description: 'What happens to files.' })
  fileStatusUpdates!: boolean;

  @Field(() => Boolean, { description: 'News and offers; off unless asked for.' })
  marketingEmails!: boolean;

  @Field(() => Decimal, { description: 'Credits below which `lowCreditAlerts` tells; 10 unless set.' })
  lowCreditLevel!: string;
}

@ArgsType()
export class PreferenceChange {
  @Field(() => Boolean, { nullable: true, description: 'By e-mail too.' })
  emailEnabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'When credits fall below `lowCreditLevel`.' })
  lowCreditAlerts?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'When credits are used up.' })
  zeroBalanceAlerts?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'What happens to files.' })
  fileStatusUpdates?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'News and offers.' })
  marketingEmails?: boolean | null;

  @Field(() => Decimal, { nullable: true, description: 'Credits, zero or more.' })
  lowCreditLevel?: string | null;
}

/** The columns of preferences under the names of their fields. */
export const PREFERENCE_COLUMNS = `
  email_enabled AS "emailEnabled", low_credit_alerts AS "lowCreditAlerts", zero_balance_alerts AS "zeroBalanceAlerts",
  file_status_updates AS "fileStatusUpdates", marketing_emails AS "marketingEmails",
  trim_scale(low_credit_level)::text AS "lowCreditLevel"`;
