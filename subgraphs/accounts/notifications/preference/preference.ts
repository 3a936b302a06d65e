import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { sql } from 'kysely';
import { ArgsType, Field, ObjectType } from 'type-graphql';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { NOTICE_KINDS, type NoticeKind } from '../notification/notification.js';

type PreferenceField = Extract<(typeof NOTICE_KINDS)[NoticeKind], { field: string }>['field'];

/** The kinds that users can turn off, each with the field of its preference. */
export const KIND_PREFERENCES = Object.entries(NOTICE_KINDS).flatMap(([kind, words]) =>
  'field' in words ? [{ kind, ...words }] : [],
);

@ObjectType('NotificationPreferences', {
  description: 'Notification preferences of a user.',
  simpleResolvers: true,
})
class PreferenceFields {
  @Field(() => Boolean, { description: 'Whether to send notifications by e-mail as well; needs a confirmed address.' })
  emailEnabled!: boolean;

  @Field(() => Decimal, { description: 'Threshold of `lowCreditAlerts` in credits; default 10.' })
  lowCreditLevel!: string;
}

/** Preferences of a user, with a field for each kind that can be turned off. */
export type NotificationPreferences = PreferenceFields & Record<PreferenceField, boolean>;
export const NotificationPreferences = PreferenceFields;

@Entity({ tableName: 'preference' })
export class PreferenceRow {
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @Property({ type: 'boolean', default: true }) emailEnabled!: Opt<boolean>;
  @Property({ type: 'numeric', precision: 38, scale: 18, default: 10 }) lowCreditLevel!: Opt<string>;
  /** The kinds that the user turned off. */
  @Property({ type: 'text[]', defaultRaw: `'{marketing}'::text[]` }) mutedKinds!: Opt<string[]>;
}

@ArgsType()
class PreferenceArguments {
  @Field(() => Boolean, { nullable: true, description: 'Whether to send notifications by e-mail as well.' })
  emailEnabled?: boolean | null;

  @Field(() => Decimal, { nullable: true, description: 'Threshold in credits, zero or more.' })
  lowCreditLevel?: string | null;
}

/** The given preferences; null keeps the current value. */
export type PreferenceChange = PreferenceArguments & Partial<Record<PreferenceField, boolean | null>>;
export const PreferenceChange = PreferenceArguments;

for (const { field, meaning, ...rest } of KIND_PREFERENCES) {
  const byDefault = 'isOffByDefault' in rest ? '; off by default' : '';
  Field(() => Boolean, { description: `Whether to notify ${meaning}${byDefault}.` })(PreferenceFields.prototype, field);
  Field(() => Boolean, { nullable: true, description: `Whether to notify ${meaning}.` })(
    PreferenceArguments.prototype,
    field,
  );
}

/** The columns of preferences in GraphQL. */
export const PREFERENCE_COLUMNS = [
  'preference.emailEnabled',
  sql<string>`trim_scale(low_credit_level)::text`.as('lowCreditLevel'),
  ...KIND_PREFERENCES.map(({ kind, field }) =>
    sql<boolean>`(${sql.lit(kind)} <> ALL (preference.muted_kinds))`.as(field),
  ),
] as const;
