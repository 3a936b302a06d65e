import { useNavigate, useParams } from '@tanstack/react-router';
import { KeyRound, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Button } from '../../components/forms/button';
import { Card, DescriptionList } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { Deliveries } from './deliveries';
import { SecretDialog } from './secret';
import { KINDS } from '../../generated/notification-kinds';
import { ABOVE } from './sections';
import './notifications.css';

const ENDPOINTS = graphql(`
  {
    webhookEndpoints {
      id
      url
      kinds
      isEnabled
      failingSince
      disabledBecause
      createdAt
    }
  }
`);
const ENABLE = graphql(`
  mutation ($id: String!, $isEnabled: Boolean!) {
    enableWebhookEndpoint(id: $id, isEnabled: $isEnabled) {
      id
    }
  }
`);
const ROTATE = graphql('mutation ($id: String!) { rotateWebhookSecret(id: $id) { secret } }');
const TEST = graphql('mutation ($id: String!) { testWebhookEndpoint(id: $id) { id state } }');
const REMOVE = graphql('mutation ($id: String!) { removeWebhookEndpoint(id: $id) }');

const CHANGES = { additionalTypenames: ['WebhookEndpoint'] };

type Endpoint = ResultOf<typeof ENDPOINTS>['webhookEndpoints'][number];

const WAY = [...ABOVE, { title: 'Webhooks', to: '/notifications/webhooks' }];

/** One webhook with what was sent to it. */
export function WebhookPage() {
  const { id } = useParams({ strict: false });
  const query = useQuery({ query: ENDPOINTS, requestPolicy: 'cache-and-network' });
  const endpoint = query[0].data?.webhookEndpoints.find((one) => one.id === id);
  return (
    <Page title="Webhook" lead={endpoint?.url} above={WAY} actions={endpoint && <Actions {...endpoint} />}>
      <QueryView query={query}>
        {() =>
          endpoint ? (
            <>
              <EndpointCard {...endpoint} />
              <Deliveries endpointId={endpoint.id} />
            </>
          ) : (
            <Empty title="There is no such webhook">It may have been removed.</Empty>
          )
        }
      </QueryView>
    </Page>
  );
}

function EndpointCard({ isEnabled, kinds, failingSince, disabledBecause, createdAt }: Endpoint) {
  return (
    <Card title="Endpoint">
      <DescriptionList
        items={[
          ['State', isEnabled ? 'enabled' : `disabled${disabledBecause === null ? '' : `: ${disabledBecause}`}`],
          ['Kinds', kinds.length === 0 ? 'all' : kinds.map((kind) => KINDS[kind]).join(', ')],
          ['Failing since', failingSince === null ? 'it does not fail' : <Time key="failing" at={failingSince} />],
          ['Added', <Time key="added" at={createdAt} />],
        ]}
      />
    </Card>
  );
}

function Actions({ id, isEnabled }: Endpoint) {
  const client = useClient();
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const toggle = () => done(client.mutation(ENABLE, { id, isEnabled: !isEnabled }));
  const test = async () => {
    await done(client.mutation(TEST, { id }));
    showToast('A test event is sent.');
  };
  const rotate = async () => {
    const text = 'For 24 hours deliveries are signed with both secrets, so that you can change it without a gap.';
    if (!(await confirm({ title: 'Rotate the secret?', text, action: 'Rotate', isDangerous: false }))) return;
    setSecret((await done(client.mutation(ROTATE, { id }))).rotateWebhookSecret.secret);
  };
  const remove = async () => {
    const text = 'Nothing is sent to it any more, and its deliveries cannot be repeated.';
    if (!(await confirm({ title: 'Remove this webhook?', text, action: 'Remove it' }))) return;
    await done(client.mutation(REMOVE, { id }, CHANGES));
    showToast('The webhook is removed.');
    void navigate({ to: '/notifications/webhooks' });
  };
  return (
    <>
      <Button icon={Send} disabled={!isEnabled} onPress={test}>
        Send a test event
      </Button>
      <Button onPress={toggle}>{isEnabled ? 'Disable' : 'Enable'}</Button>
      <Button icon={KeyRound} onPress={rotate}>
        Rotate the secret
      </Button>
      <Button kind="quiet" className="danger" icon={Trash2} onPress={remove}>
        Remove
      </Button>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}
