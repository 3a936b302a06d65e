import { RefreshCw, RotateCw, Send } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useNotificationAdded } from '../../app/bell';
import { Status, type Tone } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { counted, Time } from '../../components/format';
import { useInterval } from '../../components/interval';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { KINDS } from '../../generated/notification-kinds';
import { Older } from '../../components/tables/older';

const DELIVERIES = graphql(`
  query ($id: String!, $after: String) {
    webhookDeliveries(endpointId: $id, first: 100, after: $after) {
      nextCursor
      results {
        id
        kind
        state
        attempts
        messageId
        lastError
        responseStatus
        responseBody
        createdAt
        nextAttemptAt
      }
    }
  }
`);
const REPLAY = graphql('mutation ($id: String!) { replayWebhookDelivery(id: $id) { id state } }');

/** If nothing was sent yet, the list has nothing that tells it to load again. */
const CHANGES = { additionalTypenames: ['WebhookDelivery'] };

type Delivery = ResultOf<typeof DELIVERIES>['webhookDeliveries']['results'][number];

const TONES: Readonly<Record<Delivery['state'], Tone>> = { sent: 'good', pending: 'info', failed: 'bad' };

const RELOAD_MS = 2_000;

/** What was sent to a webhook, newest first; each delivery can be repeated. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const [reloads, setReloads] = useState(0);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  useNotificationAdded(reload);
  return (
    <Card
      title="Deliveries"
      isFlush
      actions={<Button kind="quiet" size="small" icon={RefreshCw} label="Load the deliveries again" onPress={reload} />}
    >
      <DeliveryPage endpointId={endpointId} after={null} reloads={reloads} />
    </Card>
  );
}

interface DeliveryPageProps {
  readonly endpointId: string;
  /** Where the page begins; null: with the newest. */
  readonly after: string | null;
  /** Loads again when it grows. */
  readonly reloads: number;
}

/** A page of deliveries, and those below it that were opened. */
function DeliveryPage({ endpointId, after, reloads }: DeliveryPageProps) {
  const query = useQuery({
    query: DELIVERIES,
    variables: { id: endpointId, after },
    requestPolicy: 'cache-and-network',
    context: CHANGES,
  });
  const [{ data }, refetch] = query;
  const reload = useCallback(() => refetch({ requestPolicy: 'network-only' }), [refetch]);
  useEffect(() => {
    if (reloads > 0) reload();
  }, [reloads, reload]);
  const isPending = data?.webhookDeliveries.results.some(({ state }) => state === 'pending') ?? false;
  useInterval(isPending, RELOAD_MS, reload);
  return (
    <QueryView query={query}>
      {({ webhookDeliveries: { results, nextCursor } }) => (
        <>
          <DeliveryLines deliveries={results} isFirst={after === null} />
          <Older next={nextCursor}>
            {(next) => <DeliveryPage endpointId={endpointId} after={next} reloads={reloads} />}
          </Older>
        </>
      )}
    </QueryView>
  );
}

function DeliveryLines({
  deliveries,
  isFirst,
}: {
  readonly deliveries: readonly Delivery[];
  readonly isFirst: boolean;
}) {
  if (deliveries.length === 0)
    return isFirst ? (
      <Empty icon={Send} title="Nothing was sent yet">
        Each event that is posted to this URL is listed here, with the answer of your server. Send a test event to try
        it.
      </Empty>
    ) : null;
  return (
    <ul className="lines">
      {deliveries.map((delivery) => (
        <DeliveryLine key={delivery.id} {...delivery} />
      ))}
    </ul>
  );
}

function DeliveryLine(delivery: Delivery) {
  const { id, kind, state, attempts, createdAt, nextAttemptAt } = delivery;
  const client = useClient();
  const replay = async () => {
    await done(client.mutation(REPLAY, { id }));
    showToast('It is sent again.');
  };
  return (
    <li>
      <details className="delivery grow">
        <summary>
          <Status tone={TONES[state]}>{state}</Status>
          <span>{kind === null ? 'Test event' : KINDS[kind]}</span>
          <span className="muted small">
            {counted(attempts, 'attempt')} · <Time at={createdAt} />
            {nextAttemptAt !== null && (
              <>
                {' '}
                · again <Time at={nextAttemptAt} />
              </>
            )}
          </span>
        </summary>
        <pre>{answerOf(delivery)}</pre>
      </details>
      <Button size="small" icon={RotateCw} disabled={state === 'pending'} onPress={replay}>
        Send again
      </Button>
    </li>
  );
}

function answerOf({ messageId, lastError, responseStatus, responseBody }: Delivery): string {
  const lines = [`webhook-id: ${messageId}`, responseStatus === null ? 'no answer' : `answer: ${responseStatus}`];
  return [...lines, lastError, responseBody].filter(Boolean).join('\n');
}
