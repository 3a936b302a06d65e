import { Monitor } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useClient, useQuery, type Client } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { Dialog } from '../../components/overlays/dialog';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Time } from '../../components/format';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { showToast, showError } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { codeOf } from '../../graphql/refusal';
import { signOutWords } from '../../app/running-transfers';
import { useOptimistic, type ShowAtOnce } from '../../graphql/optimistic';
import { NewTokenButton } from './new-token';
import { programOf } from './program';

/** Every token and session. */
export const ACCESS = graphql(`
  {
    tokens {
      id
      name
      createdAt
      expiresAt
      lastUsedAt
      lastAddress
      isCurrent
    }
    sessions {
      id
      label
      userAgent
      createdAt
      expiresAt
      lastUsedAt
      lastAddress
      isCurrent
    }
  }
`);
const REVOKE_TOKEN = graphql('mutation ($id: String!) { revokeToken(id: $id) }');
const REVOKE_SESSION = graphql('mutation ($id: String!) { revokeSession(id: $id) }');
const LABEL_SESSION = graphql('mutation ($id: String!, $label: String) { labelSession(id: $id, label: $label) }');

type AccessData = ResultOf<typeof ACCESS>;

/** A token or a session: a way in that can be ended. */
interface Way {
  readonly kind: 'Token' | 'Session';
  readonly id: string;
  readonly name: string;
  /** Of sessions only. */
  readonly label?: string | null;
  readonly userAgent?: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastAddress: string | null;
  readonly isCurrent: boolean;
}

/** Lists all tokens and sessions. Each can be ended, and sessions can be named. */
export function Ways() {
  const query = useQuery({ query: ACCESS, requestPolicy: 'cache-and-network' });
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  return <QueryView query={query}>{(data) => <WaysCard data={data} onChange={reload} />}</QueryView>;
}

/** Tokens and sessions in one list. */
export function waysOf({ tokens, sessions }: AccessData): readonly Way[] {
  return [
    ...tokens.map((token) => ({ ...token, kind: 'Token' as const })),
    ...sessions.map((one) => ({ ...one, kind: 'Session' as const, name: one.label ?? programOf(one.userAgent) })),
  ];
}

function WaysCard({ data, onChange }: { readonly data: AccessData; readonly onChange: () => void }) {
  const client = useClient();
  const [shown, showAtOnce] = useOptimistic(data);
  const ways = useMemo(() => waysOf(shown), [shown]);
  const [named, setNamed] = useState<Way>();
  const end = async (ended: readonly Way[], words: string) => {
    await showAtOnce(
      (all) => without(all, ended),
      () => endEach(client, ended),
    ).finally(onChange);
    showToast(words);
  };
  const endOne = async (way: Way) => {
    const text = way.isCurrent ? `You use it now: ${signOutWords()}` : 'Whatever uses it is signed out at once.';
    if (!(await confirm({ title: `End this ${way.kind.toLowerCase()}?`, text, action: 'End it' }))) return;
    await end([way], `The ${way.kind.toLowerCase()} is ended.`);
  };
  const others = ways.filter(({ isCurrent }) => !isCurrent);
  const endOthers = async () => {
    const text = 'All tokens and sessions that you do not use now stop working at once.';
    if (!(await confirm({ title: 'End all others?', text, action: 'End all others' }))) return;
    await end(others, 'All others are ended.');
  };
  const columns = useMemo(() => columnsOf({ end: endOne, rename: setNamed }), [ways]);
  return (
    <Card
      title="Tokens and sessions"
      isFlush
      actions={
        <>
          <NewTokenButton onCreated={onChange} />
          <Button size="small" disabled={others.length === 0} onPress={endOthers}>
            End all others
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

/** Ends all that it can. @throws the first error; what has ended meanwhile is none */
async function endEach(client: Client, ways: readonly Way[]): Promise<void> {
  const errors: Error[] = [];
  for (const { kind, id } of ways) {
    const { error } = await client.mutation(kind === 'Token' ? REVOKE_TOKEN : REVOKE_SESSION, { id });
    if (error && codeOf(error) !== 'NOT_FOUND') errors.push(error);
  }
  if (errors[0]) throw errors[0];
}

function without({ tokens, sessions }: AccessData, ended: readonly Way[]): AccessData {
  const isLeft = (one: { readonly id: string }) => !ended.some(({ id }) => id === one.id);
  return { tokens: tokens.filter(isLeft), sessions: sessions.filter(isLeft) };
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
