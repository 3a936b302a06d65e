import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { PREFERENCE_COLUMNS, type NotificationPreferences, type PreferenceChange } from './preference.js';

const OF_USER = query('preferences-of-user', (db: Tables, value: { userId: number }) =>
  db.selectFrom('preference').select(PREFERENCE_COLUMNS).where('userId', '=', value.userId),
);

// One statement without a read before it: changes of different fields at once all stay.
const CHANGE = query('preferences-change', (db: Tables, value: PreferenceChange & { userId: number }) =>
  db
    .updateTable('preference')
    .set({
      emailEnabled: sql`coalesce(${value.emailEnabled}, email_enabled)`,
      lowCreditAlerts: sql`coalesce(${value.lowCreditAlerts}, low_credit_alerts)`,
      zeroBalanceAlerts: sql`coalesce(${value.zeroBalanceAlerts}, zero_balance_alerts)`,
      fileStatusUpdates: sql`coalesce(${value.fileStatusUpdates}, file_status_updates)`,
      marketingEmails: sql`coalesce(${value.marketingEmails}, marketing_emails)`,
      lowCreditLevel: sql`coalesce(${value.lowCreditLevel}, low_credit_level)`,
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
  const [preferences] = await database.run(CHANGE, { ...change, userId });
  return preferences ?? gone();
}

function gone(): never {
  throw notFound('Your account no longer exists.');
}
