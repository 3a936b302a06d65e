import { expect, it } from '@jest/globals';
import { mutationWords } from '../../../dashboard/pages/account/mutation-words.js';

it.each([
  ['createGroup', 'Created a group'],
  ['updatePolicy', 'Changed a policy'],
  ['deleteFiles', 'Deleted files'],
  ['stopVm', 'Stopped a machine'],
  ['spawnVm', 'Created a machine'],
  ['createSubToken', 'Created an access key'],
  ['replayWebhookDelivery', 'Replayed a webhook delivery'],
  ['labelSession', 'Labelled a session'],
  ['markAllNotificationsRead', 'Marked all notifications read'],
  ['removeEmail', 'Removed an e-mail address'],
  ['adminGrantCredits', 'Granted credits'],
  ['adminSetRoles', 'Set roles'],
  ['updateNotificationPreferences', 'Changed notification preferences'],
  ['setVmWarning', 'Set a machine warning'],
  ['provisionTenant', 'Created the private network'],
  ['signIn', 'Signed in'],
])('shows %s as “%s”', (mutation, words) => {
  expect(mutationWords(mutation)).toBe(words);
});
