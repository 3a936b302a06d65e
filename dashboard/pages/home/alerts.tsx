import { Link } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { useClient, useQuery } from 'urql';
import { useBalance } from '../../app/balance';
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
import { SEVERITY_TONES } from '../notifications/severity';

const UNREAD = graphql(`
  {
    notifications(unreadOnly: true, first: 100) {
      unreadCount
      results {
        id
        kind
        severity
        title
        text
        link
        createdAt
      }
    }
  }
`);
// Asked for apart: without it the other alerts are shown.
const MACHINES = graphql('{ vmInstances { uuid status } }');
const MARK_READ = graphql('mutation ($id: String!) { markNotificationRead(id: $id) { id } }');

type AlertData = ResultOf<typeof UNREAD>;
type Notice = AlertData['notifications']['results'][number];

/** Alerts that are shown at once. */
const SHOWN = 10;

/** The unread notifications that need the user, as they come. */
export function Alerts() {
  const client = useClient();
  const [state, reload] = useQuery({ query: UNREAD, requestPolicy: 'cache-and-network' });
  const [{ data: machines }] = useQuery({ query: MACHINES, requestPolicy: 'cache-and-network' });
  const balance = useBalance()?.balance;
  const present = {
    failed: failedPaths(machines?.vmInstances ?? []),
    hasCredits: balance !== undefined && Number(balance) > 0,
  };
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
          alertsOf(results, present).length > 0 ? (
            <ul className="lines">
              {alertsOf(results, present).map((notice) => (
                <AlertLine key={notice.id} notice={notice} onRead={() => read(notice)} />
              ))}
            </ul>
          ) : (
            <Empty icon={BellOff} title="Nothing needs your attention">
              Low credits, failed payments and machines, and what ends soon are shown here. The bell has all
              notifications.
            </Empty>
          )
        }
      </QueryView>
    </Card>
  );
}

/** Paths of the machines that have failed. */
function failedPaths(machines: ResultOf<typeof MACHINES>['vmInstances']): ReadonlySet<string> {
  return new Set(machines.filter(({ status }) => status === 'failed').map(({ uuid }) => `/machines/${uuid}`));
}

interface Present {
  /** Paths of the machines that have failed. */
  readonly failed: ReadonlySet<string>;
  readonly hasCredits: boolean;
}

/** Whether a notification needs the user, and still does: a machine has failed, or the credits are used up. */
function needsAttention({ kind, severity, link }: Notice, { failed, hasCredits }: Present): boolean {
  if (severity === 'info') return false;
  if (kind === 'machine') return failed.has(link ?? '');
  // Notifications of this kind about a machine that was stopped lead to the machines: it does not start by itself.
  return !(kind === 'zero_balance' && link === '/billing' && hasCredits);
}

function alertsOf(notices: readonly Notice[], present: Present): readonly Notice[] {
  return notices.filter((notice) => needsAttention(notice, present)).slice(0, SHOWN);
}

function without({ notifications }: AlertData, id: string): AlertData {
  return { notifications: { ...notifications, results: notifications.results.filter((one) => one.id !== id) } };
}

function AlertLine({ notice, onRead }: { readonly notice: Notice; readonly onRead: () => Promise<void> }) {
  const { kind, severity, title, text, link, createdAt } = notice;
  return (
    <li>
      <div className="grow">
        <p className="row wrap">
          <strong>{title}</strong>
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
      <Button size="small" onPress={onRead}>
        Mark read
      </Button>
    </li>
  );
}
