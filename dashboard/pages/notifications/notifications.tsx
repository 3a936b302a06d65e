import { Link } from '@tanstack/react-router';
import { BellOff, CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useNotificationAdded } from '../../app/bell';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { Check } from '../../components/fields';
import { Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { KINDS, NotificationSections } from './sections';
import './notifications.css';

const NOTIFICATIONS = graphql(`
  query ($first: Int!, $unreadOnly: Boolean!) {
    notifications(first: $first, unreadOnly: $unreadOnly) {
      unreadCount
      nextCursor
      results {
        id
        kind
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

type Notice = ResultOf<typeof NOTIFICATIONS>['notifications']['results'][number];

const PAGE = 50;
const MAX_SHOWN = 200;

/** The notifications of the user, as they come. */
export function NotificationsPage() {
  const client = useClient();
  const [first, setFirst] = useState(PAGE);
  const [unreadOnly, setUnreadOnly] = useState(false);
  const query = useQuery({
    query: NOTIFICATIONS,
    variables: { first, unreadOnly },
    requestPolicy: 'cache-and-network',
    context: CHANGES,
  });
  const [{ data }, reload] = query;
  useNotificationAdded(reload);
  const unread = data?.notifications.unreadCount ?? 0;
  return (
    <Page
      title="Notifications"
      lead={unread === 0 ? 'All are read.' : `${unread} unread`}
      actions={
        <Button icon={CheckCheck} disabled={unread === 0} onPress={() => done(client.mutation(MARK_ALL, {}, CHANGES))}>
          Mark all read
        </Button>
      }
    >
      <NotificationSections />
      <Check label="Unread only" checked={unreadOnly} onChange={(event) => setUnreadOnly(event.target.checked)} />
      <Card isFlush>
        <QueryView query={query}>
          {({ notifications: { results, nextCursor } }) => (
            <>
              <Notices notices={results} />
              {nextCursor !== null && first < MAX_SHOWN && (
                <div className="lines-end">
                  <Button onPress={() => setFirst(Math.min(first * 2, MAX_SHOWN))}>Older</Button>
                </div>
              )}
            </>
          )}
        </QueryView>
      </Card>
    </Page>
  );
}

function Notices({ notices }: { readonly notices: readonly Notice[] }) {
  if (notices.length === 0)
    return (
      <Empty icon={BellOff} title="Nothing here">
        Payments, low credits, machines that stop and changes of your account are told here, and by e-mail and webhooks
        if you like.
      </Empty>
    );
  return (
    <ul className="lines">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} {...notice} />
      ))}
    </ul>
  );
}

function NoticeLine({ id, kind, title, text, link, createdAt, readAt }: Notice) {
  const client = useClient();
  const read = () => done(client.mutation(MARK_READ, { id }));
  return (
    <li className={readAt === null ? 'notice unread' : 'notice'}>
      <div className="grow">
        <p className="row wrap">
          <span className="notice-title">{title}</span>
          <Badge tone={kind === 'low_credit' || kind === 'zero_balance' ? 'warn' : 'plain'}>{KINDS[kind]}</Badge>
          <span className="muted small">
            <Time at={createdAt} />
          </span>
        </p>
        <p className="muted small">{text}</p>
        {link !== null && (
          <Link to={link} className="small">
            Open<span className="unseen"> what is told: {title}</span>
          </Link>
        )}
      </div>
      {readAt === null && (
        <Button size="small" onPress={read}>
          Mark read
        </Button>
      )}
    </li>
  );
}
