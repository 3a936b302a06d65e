import { Link } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Status } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Dialog } from '../../components/overlays/dialog';
import { Check, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { KINDS } from '../../generated/notification-kinds';
import { ABOVE, NotificationSections } from './sections';
import { SecretDialog } from './secret';
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
    }
  }
`);
const ADD = graphql(`
  mutation ($url: String!, $kinds: [NotificationKind!]) {
    addWebhookEndpoint(url: $url, kinds: $kinds) {
      secret
      endpoint {
        id
      }
    }
  }
`);

/** If there was no endpoint yet, the list has nothing that tells it to load again. */
const CHANGES = { additionalTypenames: ['WebhookEndpoint'] };

type Kind = keyof typeof KINDS;
type Endpoint = ResultOf<typeof ENDPOINTS>['webhookEndpoints'][number];

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    id: 'url',
    title: 'URL',
    value: ({ url }) => url,
    cell: ({ id, url }) => <Link to={`/notifications/webhooks/${id}`}>{url}</Link>,
  },
  { id: 'state', title: 'State', cell: (endpoint) => <EndpointState {...endpoint} /> },
  {
    id: 'kinds',
    title: 'Kinds',
    cell: ({ kinds }) => (kinds.length === 0 ? 'all' : kinds.map((kind) => KINDS[kind]).join(', ')),
  },
];

function EndpointState({ isEnabled, failingSince }: Endpoint) {
  if (!isEnabled) return <Status tone="hollow">disabled</Status>;
  return failingSince === null ? <Status tone="good">enabled</Status> : <Status tone="warn">failing</Status>;
}

/** The URLs to which notifications are posted. */
export function WebhooksPage() {
  const query = useQuery({ query: ENDPOINTS, requestPolicy: 'cache-and-network', context: CHANGES });
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const add = (
    <Button kind="primary" icon={Webhook} onPress={() => setAdding(true)}>
      Add a webhook
    </Button>
  );
  const added = (text: string) => {
    setAdding(false);
    setSecret(text);
  };
  return (
    <Page
      title="Webhooks"
      lead="Your programs receive each notification by POST, signed as Standard Webhooks describe."
      above={ABOVE}
      actions={add}
    >
      <NotificationSections />
      <Card isFlush>
        <QueryView query={query}>
          {({ webhookEndpoints }) => (
            <Table
              label="Webhooks"
              columns={COLUMNS}
              rows={webhookEndpoints}
              rowId={({ id }) => id}
              empty={
                <Empty icon={Webhook} title="No webhook yet">
                  Give an https URL of yours. It receives what happens to payments, credits, your account, machines,
                  peers, policies and files, or only the kinds that you choose. You can repeat each delivery.
                </Empty>
              }
            />
          )}
        </QueryView>
      </Card>
      <Dialog title="Add a webhook" isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddForm onAdded={added} onCancel={() => setAdding(false)} />
      </Dialog>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  );
}

const isKind = (text: string): text is Kind => text in KINDS;

function AddForm({ onAdded, onCancel }: { readonly onAdded: (secret: string) => void; readonly onCancel: () => void }) {
  const client = useClient();
  const [url, setUrl] = useState('');
  const [kinds, setKinds] = useState<readonly Kind[]>([]);
  const add = async () => {
    const { addWebhookEndpoint } = await done(client.mutation(ADD, { url, kinds: [...kinds] }, CHANGES));
    onAdded(addWebhookEndpoint.secret);
  };
  const toggle = (kind: Kind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind]);
  return (
    <Form submit="Add the webhook" label="Add a webhook" onSubmit={add} onCancel={onCancel}>
      <TextField
        label="URL"
        hint="https, with a public address"
        type="url"
        required
        placeholder="https://example.com/hooks"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <fieldset className="kinds">
        <legend>Kinds; without a choice, all</legend>
        {Object.entries(KINDS).map(([kind, words]) => (
          <Check
            key={kind}
            label={words}
            checked={isKind(kind) && kinds.includes(kind)}
            onChange={() => isKind(kind) && toggle(kind)}
          />
        ))}
      </fieldset>
    </Form>
  );
}
