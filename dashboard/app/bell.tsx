import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { useQuery, useSubscription } from 'urql';
import { graphql } from '../graphql/graphql';
import { useOnReturn } from './on-return';
import './bell.css';

const UNREAD = graphql('{ notifications(unreadOnly: true, first: 1) { unreadCount results { id } } }');
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
  const words = count === 0 ? 'Notifications' : `Notifications, ${shown} unread`;
  return (
    <Link to="/notifications" className="button quiet icon-only bell" aria-label={words} title={words}>
      <Bell className="icon" aria-hidden />
      {count > 0 && (
        <span className="bell-count" aria-hidden>
          {shown}
        </span>
      )}
    </Link>
  );
}
