import type { Database, Statement } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { PREFERENCE_COLUMNS, type NotificationPreferences, type PreferenceChange } from './preference.js';

const OF_USER: Statement = {
  name: 'preferences-of-user',
  text: `SELECT ${PREFERENCE_COLUMNS} FROM accounts.preference WHERE user_id = $1`,
};

// One statement without a read before it: changes of different fields at once all stay.
const CHANGE: Statement = {
  name: 'preferences-change',
  text: `
    UPDATE accounts.preference SET
      email_enabled = coalesce($2, email_enabled),
      low_credit_alerts = coalesce($3, low_credit_alerts),
      zero_balance_alerts = coalesce($4, zero_balance_alerts),
      file_status_updates = coalesce($5, file_status_updates),
      marketing_emails = coalesce($6, marketing_emails),
      low_credit_level = coalesce($7, low_credit_level)
    WHERE user_id = $1 RETURNING ${PREFERENCE_COLUMNS}`,
};

/** The notification preferences of a user. @throws NOT_FOUND */
export async function preferencesOf(database: Database, userId: number): Promise<NotificationPreferences> {
  const [preferences] = await database.rows<NotificationPreferences>(OF_USER, [userId]);
  return preferences ?? gone();
}

/** Updates the given preferences; null keeps the current value. @throws NOT_FOUND */
export async function changePreferences(
  database: Database,
  userId: number,
  change: PreferenceChange,
): Promise<NotificationPreferences> {
  const [preferences] = await database.rows<NotificationPreferences>(CHANGE, [
    userId,
    change.emailEnabled ?? null,
    change.lowCreditAlerts ?? null,
    change.zeroBalanceAlerts ?? null,
    change.fileStatusUpdates ?? null,
    change.marketingEmails ?? null,
    change.lowCreditLevel ?? null,
  ]);
  return preferences ?? gone();
}

function gone(): never {
  throw notFound('Your account no longer exists.');
}
