import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import {
  KIND_PREFERENCES,
  PREFERENCE_COLUMNS,
  type NotificationPreferences,
  type PreferenceChange,
} from './preference.js';

const OF_USER = query('preferences-of-user', (db: Tables, value: { userId: number }) =>
  db.selectFrom('preference').select(PREFERENCE_COLUMNS).where('userId', '=', value.userId),
);

interface Change {
  readonly userId: number;
  readonly emailEnabled: boolean | null;
  readonly lowCreditLevel: string | null;
  readonly muted: readonly string[];
  readonly unmuted: readonly string[];
}

// One statement, so that concurrent changes of different fields are all kept.
const CHANGE = query('preferences-change', (db: Tables, value: Change) =>
  db
    .updateTable('preference')
    .set({
      emailEnabled: sql`coalesce(${value.emailEnabled}, email_enabled)`,
      lowCreditLevel: sql`coalesce(${value.lowCreditLevel}, low_credit_level)`,
      mutedKinds: sql`ARRAY(SELECT DISTINCT kind FROM unnest(preference.muted_kinds || ${value.muted}::text[]) kind
                             WHERE kind <> ALL (${value.unmuted}::text[]) ORDER BY kind)`,
    })
    .where('userId', '=', value.userId)
    .returning(PREFERENCE_COLUMNS),
);

/** The notification preferences of a user. @throws NOT_FOUND */
export async function preferencesOf(database: Database, userId: number): Promise<NotificationPreferences> {
  const [preferences] = await database.run(OF_USER, { userId });
  return preferences ?? gone();
}

/** Updates the given preferences; null keeps the current value. @throws NOT_FOUND */
export async function changePreferences(
  database: Database,
  userId: number,
  change: PreferenceChange,
): Promise<NotificationPreferences> {
  const { emailEnabled = null, lowCreditLevel = null } = change;
  const kindsSetTo = (value: boolean) =>
    KIND_PREFERENCES.filter(({ field }) => change[field] === value).map(({ kind }) => kind);
  const [muted, unmuted] = [kindsSetTo(false), kindsSetTo(true)];
  const [preferences] = await database.run(CHANGE, { userId, emailEnabled, lowCreditLevel, muted, unmuted });
  return preferences ?? gone();
}

function gone(): never {
  throw notFound('Your account no longer exists.');
}
