import { Link } from '@tanstack/react-router';
import { BellOff, CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useNotificationAdded } from '../../app/bell';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Check } from '../../components/forms/fields';
import { Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Older } from '../../components/tables/older';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { useOptimistic } from '../../graphql/optimistic';
import { KINDS } from '../../generated/notification-kinds';
import { NotificationSections } from './sections';
import { SEVERITY_TONES } from './severity';
import './notifications.css';

const NOTIFICATIONS = graphql(`
  query ($unreadOnly: Boolean!, $after: String) {
    notifications(first: 50, unreadOnly: $unreadOnly, after: $after) {
      unreadCount
      nextCursor
      results {
        id
        kind
        severity
        title
        text
        link
        createdAt
        readAt
      }
    }
  }
`);
const MARK_READ = graphql('mutation ($id: String!) { markNotificationRead(id: $id) { id } }');
const MARK_ALL = graphql('mutation { markAllNotificationsRead }');

const CHANGES = { additionalTypenames: ['Notification'] };

type NoticeData = ResultOf<typeof NOTIFICATIONS>;
type Notice = NoticeData['notifications']['results'][number];

/** The notifications of the user, as they come. */
export function NotificationsPage() {
  const client = useClient();
  const [unreadOnly, setUnreadOnly] = useState(false);
  const notices = useNotices(unreadOnly, null);
  const unread = notices.data?.notifications.unreadCount ?? 0;
  const readAll = () => notices.showAtOnce(withAllRead, () => done(client.mutation(MARK_ALL, {}, CHANGES)));
  return (
    <Page
      title="Notifications"
      lead={unread === 0 ? 'All are read.' : `${unread} unread`}
      actions={
        <Button icon={CheckCheck} disabled={unread === 0} onPress={readAll}>
          Mark all read
        </Button>
      }
    >
      <NotificationSections />
      <Check label="Unread only" checked={unreadOnly} onChange={(event) => setUnreadOnly(event.target.checked)} />
      <Card isFlush>
        <Notices notices={notices} unreadOnly={unreadOnly} isFirst />
      </Card>
    </Page>
  );
}

/** A page of notifications, loaded again with each new one, and the function that shows a change of it at once. */
function useNotices(unreadOnly: boolean, after: string | null) {
  const [state, reload] = useQuery({
    query: NOTIFICATIONS,
    variables: { unreadOnly, after },
    requestPolicy: 'cache-and-network',
    context: CHANGES,
  });
  const [data, showAtOnce] = useOptimistic(state.data);
  useNotificationAdded(reload);
  return { query: [{ ...state, ...(data && { data }) }, reload] as const, data, showAtOnce };
}

/** The notifications with those that a test names read. */
function withRead({ notifications }: NoticeData, isRead: (notice: Notice) => boolean): NoticeData {
  const read = notifications.results.filter((one) => one.readAt === null && isRead(one));
  const readAt = new Date().toISOString();
  const results = notifications.results.map((one) => (read.includes(one) ? { ...one, readAt } : one));
  return { notifications: { ...notifications, results, unreadCount: notifications.unreadCount - read.length } };
}

function withAllRead(data: NoticeData): NoticeData {
  const { notifications } = withRead(data, () => true);
  return { notifications: { ...notifications, unreadCount: 0 } };
}

interface NoticesProps {
  readonly notices: ReturnType<typeof useNotices>;
  readonly unreadOnly: boolean;
  readonly isFirst?: boolean;
}

function Notices({ notices: { query, showAtOnce }, unreadOnly, isFirst = false }: NoticesProps) {
  const client = useClient();
  const read = ({ id }: Notice) =>
    showAtOnce(
      (all) => withRead(all, (one) => one.id === id),
      () => done(client.mutation(MARK_READ, { id })),
    );
  return (
    <QueryView query={query}>
      {({ notifications: { results, nextCursor } }) => (
        <>
          {isFirst && results.length === 0 && <NoNotices />}
          {results.length > 0 && (
            <ul className="lines">
              {results.map((notice) => (
                <NoticeLine key={notice.id} notice={notice} onRead={() => read(notice)} />
              ))}
            </ul>
          )}
          <Older next={nextCursor}>{(next) => <OlderNotices after={next} unreadOnly={unreadOnly} />}</Older>
        </>
      )}
    </QueryView>
  );
}

function OlderNotices({ after, unreadOnly }: { readonly after: string; readonly unreadOnly: boolean }) {
  return <Notices notices={useNotices(unreadOnly, after)} unreadOnly={unreadOnly} />;
}

function NoNotices() {
  return (
    <Empty icon={BellOff} title="Nothing here">
      Payments, low credits, stopped machines and changes of your account are shown here, and sent by e-mail and
      webhooks if you like.
    </Empty>
  );
}

function NoticeLine({ notice, onRead }: { readonly notice: Notice; readonly onRead: () => Promise<void> }) {
  const { kind, severity, title, text, link, createdAt, readAt } = notice;
  return (
    <li className={readAt === null ? 'notice unread' : 'notice'}>
      <div className="grow">
        <p className="row wrap">
          <span className="notice-title">{title}</span>
          <Badge tone={SEVERITY_TONES[severity]}>{KINDS[kind]}</Badge>
          <span className="muted small">
            <Time at={createdAt} />
          </span>
        </p>
        <p className="muted small">{text}</p>
        {link !== null && (
          <Link to={link} className="small">
            Open<span className="unseen"> the subject: {title}</span>
          </Link>
        )}
      </div>
      {readAt === null && (
        <Button size="small" onPress={onRead}>
          Mark read
        </Button>
      )}
    </li>
  );
}
