import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { useQuery, useSubscription } from 'urql';
import { graphql } from '../graphql/graphql';
import { useOnReturn } from '../graphql/on-return';
import './bell.css';

/** The newest, among which a critical one colours the bell. */
const UNREAD = graphql('{ notifications(unreadOnly: true, first: 20) { unreadCount results { id severity } } }');
const ADDED = graphql('subscription { notificationAdded { id } }');

/** Refetches after a mutation that changes notifications without returning one and names this type. */
const REFETCHED_WITH = { additionalTypenames: ['Notification'] };

/** Calls the function after each new notification of the user. */
export function useNotificationAdded(reload: (options: { requestPolicy: 'network-only' }) => void): void {
  const [{ data: added }] = useSubscription({ query: ADDED });
  useEffect(() => {
    if (added) reload({ requestPolicy: 'network-only' });
  }, [added, reload]);
}

/** Link to the notifications, with the live number of unread ones. */
export function NotificationBell() {
  const [{ data }, reload] = useQuery({ query: UNREAD, context: REFETCHED_WITH });
  useNotificationAdded(reload);
  useOnReturn(useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]));
  const count = data?.notifications.unreadCount ?? 0;
  const shown = count > 99 ? '99+' : `${count}`;
  const isCritical = data?.notifications.results.some(({ severity }) => severity === 'critical') ?? false;
  const unread = count === 0 ? '' : `, ${shown} unread`;
  const words = `Notifications${unread}${isCritical ? ', some critical' : ''}`;
  return (
    <Link to="/notifications" className="button quiet icon-only bell" aria-label={words} title={words}>
      <Bell className="icon" aria-hidden />
      {count > 0 && (
        <span className={isCritical ? 'bell-count critical' : 'bell-count'} aria-hidden>
          {shown}
        </span>
      )}
    </Link>
  );
}
