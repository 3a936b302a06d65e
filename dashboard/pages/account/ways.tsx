import { Monitor } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Dialog } from '../../components/overlays/dialog';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Time } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { showError } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';
import { useOptimistic, type ShowAtOnce } from '../../graphql/optimistic';
import { ACCESS, waysOf, type AccessData, type Way } from './access';
import { NewTokenButton } from './new-token';
import { useEndings } from './use-endings';

const LABEL_SESSION = graphql('mutation ($id: String!, $label: String) { labelSession(id: $id, label: $label) }');

/** Lists all tokens and sessions. Each can be ended, and sessions can be named. */
export function Ways() {
  const query = useQuery({ query: ACCESS, requestPolicy: 'cache-and-network' });
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  return <QueryView query={query}>{(data) => <WaysCard data={data} onChange={reload} />}</QueryView>;
}

function WaysCard({ data, onChange }: { readonly data: AccessData; readonly onChange: () => void }) {
  const [shown, showAtOnce] = useOptimistic(data);
  const ways = useMemo(() => waysOf(shown), [shown]);
  const [named, setNamed] = useState<Way>();
  const { endOne, endOthers, endSessions, hasOthers } = useEndings(ways, showAtOnce, onChange);
  const columns = useMemo(() => columnsOf({ end: endOne, rename: setNamed }), [ways]);
  return (
    <Card
      title="Tokens and sessions"
      isFlush
      actions={
        <>
          <NewTokenButton onCreated={onChange} />
          <Button size="small" disabled={!hasOthers} onPress={endOthers}>
            End all others
          </Button>
          <Button size="small" onPress={endSessions}>
            End all sessions
          </Button>
        </>
      }
    >
      <Table
        label="Tokens and sessions"
        columns={columns}
        rows={ways}
        rowId={({ kind, id }) => `${kind} ${id}`}
        empty={<Empty icon={Monitor} title="No tokens or sessions" />}
      />
      {named && (
        <NameDialog way={named} showAtOnce={showAtOnce} onDone={onChange} onClose={() => setNamed(undefined)} />
      )}
    </Card>
  );
}

interface NameDialogProps {
  readonly way: Way;
  readonly showAtOnce: ShowAtOnce<AccessData>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function NameDialog({ way, showAtOnce, onDone, onClose }: NameDialogProps) {
  const client = useClient();
  const [text, setText] = useState(way.label ?? '');
  const submit = () => {
    const [id, label] = [way.id, text.trim() || null];
    const named = (data: AccessData) => ({
      ...data,
      sessions: data.sessions.map((one) => (one.id === id ? { ...one, label } : one)),
    });
    onClose();
    showAtOnce(named, () => done(client.mutation(LABEL_SESSION, { id, label })))
      .catch(showError)
      .finally(onDone);
  };
  return (
    <Dialog title="Name this session" lead={way.userAgent ?? undefined} isOpen onClose={onClose}>
      <Form submit="Save the name" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Name"
          hint="Without a name it is called after its program."
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}

interface Acts {
  readonly end: (way: Way) => Promise<void>;
  readonly rename: (way: Way) => void;
}

function WayButtons({ way, end, rename }: Acts & { readonly way: Way }) {
  return (
    <span className="row">
      {way.kind === 'Session' && (
        <Button size="small" onPress={() => rename(way)}>
          Name
        </Button>
      )}
      <Button size="small" onPress={() => end(way)}>
        End
      </Button>
    </span>
  );
}

function columnsOf({ end, rename }: Acts): readonly Column<Way>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ name, isCurrent, userAgent }) => (
        <span className="row" title={userAgent ?? undefined}>
          {name} {isCurrent && <Badge tone="good">in use now</Badge>}
        </span>
      ),
    },
    {
      id: 'used',
      title: 'Last used',
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="muted">never</span> : <Time at={lastUsedAt} />),
    },
    { id: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => kind },
    { id: 'address', title: 'From', cell: ({ lastAddress }) => <code>{lastAddress ?? '–'}</code> },
    {
      id: 'created',
      title: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'expires',
      title: 'Expires',
      value: ({ expiresAt }) => expiresAt ?? '9',
      cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
    },
    {
      id: 'end',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (way) => <WayButtons way={way} end={end} rename={rename} />,
    },
  ];
}
