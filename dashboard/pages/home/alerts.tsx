import { BellOff } from 'lucide-react';
import { useEffect } from 'react';
import { useClient, useQuery, useSubscription } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Card } from '../../components/card';
import { Time } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

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
const ADDED = graphql('subscription { notificationAdded { id } }');
const MARK_READ = graphql('mutation ($id: String!) { markNotificationRead(id: $id) { id } }');

type Notice = ResultOf<typeof UNREAD>['notifications']['results'][number];

/** The unread notifications, as they come. */
export function Alerts() {
  const query = useQuery({ query: UNREAD, requestPolicy: 'cache-and-network' });
  const [, reload] = query;
  const [{ data: added }] = useSubscription({ query: ADDED });
  useEffect(() => {
    if (added) reload({ requestPolicy: 'network-only' });
  }, [added, reload]);
  return (
    <Card title="Alerts" isFlush>
      <QueryView query={query}>
        {({ notifications: { results } }) =>
          results.length > 0 ? (
            <ul className="lines">
              {results.map((notice) => (
                <AlertLine key={notice.id} {...notice} />
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

function AlertLine({ id, kind, title, text, createdAt }: Notice) {
  const client = useClient();
  const isUrgent = kind === 'low_credit' || kind === 'zero_balance';
  return (
    <li>
      <div className="grow">
        <p className="row wrap">
          <strong>{title}</strong>
          <Badge tone={isUrgent ? 'warn' : 'plain'}>{kind.replaceAll('_', ' ')}</Badge>
          <span className="muted small">
            <Time at={createdAt} />
          </span>
        </p>
        <p className="muted small">{text}</p>
      </div>
      <Button size="small" onPress={() => done(client.mutation(MARK_READ, { id }))}>
        Mark read
      </Button>
    </li>
  );
}
