import { SectionLinks } from '../../components/section-links';
import type { graphql } from '../../graphql/graphql';

/** The pages about notifications. */
export function NotificationSections() {
  return (
    <SectionLinks
      label="Notification pages"
      links={[
        ['/notifications', 'All'],
        ['/notifications/preferences', 'Preferences'],
        ['/notifications/webhooks', 'Webhooks'],
      ]}
    />
  );
}

/** The way to a page below the list of notifications. */
export const ABOVE = [{ title: 'Notifications', to: '/notifications' }];

/** A kind of notification. */
export type Kind = ReturnType<typeof graphql.scalar<'NotificationKind'>>;

/** Every kind of notification, in words. */
export const KINDS: Readonly<Record<Kind, string>> = {
  payment: 'Payments',
  low_credit: 'Low credits',
  zero_balance: 'Credits used up',
  subscription_ending: 'Subscription ends',
  account: 'Account',
  machine: 'Machines',
  file_status: 'Files',
  marketing: 'News and offers',
};

/** Whether a text is a kind of notification. */
export function isKind(text: string): text is Kind {
  return text in KINDS;
}
