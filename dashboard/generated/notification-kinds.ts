// Generated from schema/ and NOTICE_KINDS by `npm run schema`.
import { graphql } from '../graphql/graphql';

/** The title of every kind of notification. */
export const KINDS = {
  payment: "Payments",
  low_credit: "Low credits",
  zero_balance: "Credits used up",
  subscription_ending: "Subscription ends",
  account: "Account",
  machine: "Machines",
  peer: "Peers",
  policy: "Policies",
  file_status: "Files",
  marketing: "News and offers",
} as const;

/** The preferences of kinds, each with its label. */
export const CHOICES = [
  ['lowCreditAlerts', "When credits fall below a level"],
  ['zeroBalanceAlerts', "When credits are used up"],
  ['machineUpdates', "When a machine runs, stops or fails"],
  ['peerUpdates', "When peers join, go offline, come back or are removed, and before their certificates end"],
  ['policyUpdates', "When policies are created, changed, enabled, disabled or deleted"],
  ['fileStatusUpdates', "About changes of files"],
  ['marketingEmails', "About news and offers"],
] as const;

export const PREFERENCES = graphql(`{ notificationPreferences { emailEnabled fileStatusUpdates lowCreditAlerts lowCreditLevel machineUpdates marketingEmails peerUpdates policyUpdates zeroBalanceAlerts } }`);

export const SAVE = graphql(`mutation ($emailEnabled: Boolean, $fileStatusUpdates: Boolean, $lowCreditAlerts: Boolean, $lowCreditLevel: Decimal, $machineUpdates: Boolean, $marketingEmails: Boolean, $peerUpdates: Boolean, $policyUpdates: Boolean, $zeroBalanceAlerts: Boolean) {
  updateNotificationPreferences(emailEnabled: $emailEnabled, fileStatusUpdates: $fileStatusUpdates, lowCreditAlerts: $lowCreditAlerts, lowCreditLevel: $lowCreditLevel, machineUpdates: $machineUpdates, marketingEmails: $marketingEmails, peerUpdates: $peerUpdates, policyUpdates: $policyUpdates, zeroBalanceAlerts: $zeroBalanceAlerts) { lowCreditLevel }
}`);
