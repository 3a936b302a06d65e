import { Link } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { useClient, useQuery } from 'urql';
import { useNotificationAdded } from '../../app/bell';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Time } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { useOptimistic } from '../../graphql/optimistic';
import { KINDS } from '../../generated/notification-kinds';

const UNREAD = graphql(`
  {
    notifications(unreadOnly: true, first: 10) {
      unreadCount
      results {
        id
        kind
        title
        text
        link
        createdAt
      }
    }
  }
`);
const MARK_READ = graphql('mutation ($id: String!) { markNotificationRead(id: $id) { id } }');

type AlertData = ResultOf<typeof UNREAD>;
type Notice = AlertData['notifications']['results'][number];

/** The unread notifications, as they come. */
export function Alerts() {
  const client = useClient();
  const [state, reload] = useQuery({ query: UNREAD, requestPolicy: 'cache-and-network' });
  const [data, showAtOnce] = useOptimistic(state.data);
  useNotificationAdded(reload);
  const read = ({ id }: Notice) =>
    showAtOnce(
      (all) => without(all, id),
      () => done(client.mutation(MARK_READ, { id })),
    );
  return (
    <Card title="Alerts" isFlush>
      <QueryView query={[{ ...state, ...(data && { data }) }, reload]}>
        {({ notifications: { results } }) =>
          results.length > 0 ? (
            <ul className="lines">
              {results.map((notice) => (
                <AlertLine key={notice.id} notice={notice} onRead={() => read(notice)} />
              ))}
            </ul>
          ) : (
            <Empty icon={BellOff} title="Nothing needs your attention">
              Low credits, payments and changes of your account are shown here.
            </Empty>
          )
        }
      </QueryView>
    </Card>
  );
}

function without({ notifications }: AlertData, id: string): AlertData {
  return { notifications: { ...notifications, results: notifications.results.filter((one) => one.id !== id) } };
}

function AlertLine({ notice, onRead }: { readonly notice: Notice; readonly onRead: () => Promise<void> }) {
  const { kind, title, text, link, createdAt } = notice;
  const isUrgent = kind === 'low_credit' || kind === 'zero_balance';
  return (
    <li>
      <div className="grow">
        <p className="row wrap">
          <strong>{title}</strong>
          <Badge tone={isUrgent ? 'warn' : 'plain'}>{KINDS[kind]}</Badge>
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
      <Button size="small" onPress={onRead}>
        Mark read
      </Button>
    </li>
  );
}
