import { SectionLinks } from '../../components/tables/section-links';

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
