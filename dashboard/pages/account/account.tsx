import { Monitor } from 'lucide-react';
import { useMemo } from 'react';
import { useClient, useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Card, Facts } from '../../components/card';
import { confirm } from '../../components/confirm';
import { CopyButton } from '../../components/copy';
import { bytes, Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/table';
import { tell } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const ACCESS = graphql(`
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
      createdAt
      expiresAt
      lastUsedAt
      lastAddress
      isCurrent
    }
  }
`);
const STORAGE = graphql(`
  {
    me {
      id
      storageUsage {
        storageBytes
        periodEnd
      }
    }
    usageRecords(pageSize: 10) {
      results {
        id
        periodStart
        periodEnd
        storageBytes
      }
    }
  }
`);
const REVOKE_TOKEN = graphql('mutation ($id: String!) { revokeToken(id: $id) }');
const REVOKE_SESSION = graphql('mutation ($id: String!) { revokeSession(id: $id) }');

type Access = ResultOf<typeof ACCESS>;

/** A token or a session: a way in that can be ended. */
interface Way {
  readonly kind: 'Token' | 'Session';
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastAddress: string | null;
  readonly isCurrent: boolean;
}

/** Who is signed in, and every token and session of theirs. */
export function AccountPage() {
  const access = useQuery({ query: ACCESS, requestPolicy: 'cache-and-network' });
  const reload = () => access[1]({ requestPolicy: 'network-only' });
  return (
    <Page title="Sessions and tokens" lead="Everything that can act in your name. End what you do not know.">
      <div className="columns">
        <ProfileCard />
        <StorageCard />
      </div>
      <QueryView query={access}>{(data) => <Ways ways={waysOf(data)} onChange={reload} />}</QueryView>
    </Page>
  );
}

function waysOf({ tokens, sessions }: Access): readonly Way[] {
  return [
    ...tokens.map((token) => ({ ...token, kind: 'Token' as const })),
    ...sessions.map((one) => ({ ...one, kind: 'Session' as const, name: 'Access and refresh tokens' })),
  ];
}

function ProfileCard() {
  const { username, substrateAddress, email, roles } = useMe();
  return (
    <Card title="You">
      <Facts
        facts={[
          ['Name', <Address key="name" text={username} />],
          ['SS58 address', substrateAddress === null ? 'none yet' : <Address key="ss58" text={substrateAddress} />],
          ['E-mail', email ?? 'none yet'],
          ['Roles', roles.length > 0 ? roles.join(', ').toLowerCase() : 'none'],
        ]}
      />
    </Card>
  );
}

function Address({ text }: { readonly text: string }) {
  return (
    <span className="row">
      <code className="truncate">{text}</code>
      <CopyButton text={text} />
    </span>
  );
}

function StorageCard() {
  const query = useQuery({ query: STORAGE });
  return (
    <Card title="Storage used">
      <QueryView query={query}>
        {({ me: { storageUsage }, usageRecords: { results } }) => (
          <>
            <p>
              {storageUsage
                ? `${bytes(storageUsage.storageBytes)} until ${day(storageUsage.periodEnd)}`
                : 'No storage has been recorded yet.'}
            </p>
            <Facts
              facts={results.map(({ periodStart, periodEnd, storageBytes }) => [
                `${day(periodStart)} – ${day(periodEnd)}`,
                bytes(storageBytes),
              ])}
            />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function day(time: string): string {
  return new Date(time).toLocaleDateString();
}

function Ways({ ways, onChange }: { readonly ways: readonly Way[]; readonly onChange: () => void }) {
  const client = useClient();
  const end = ({ kind, id }: Way) => done(client.mutation(kind === 'Token' ? REVOKE_TOKEN : REVOKE_SESSION, { id }));
  const endOne = async (way: Way) => {
    const text = way.isCurrent ? 'You use it now: this signs you out.' : 'Whatever uses it is signed out at once.';
    const title = `End this ${way.kind.toLowerCase()}?`;
    if (!(await confirm({ title, text, action: 'End it' }))) return;
    await end(way);
    tell(`The ${way.kind.toLowerCase()} is ended.`);
    onChange();
  };
  const others = ways.filter(({ isCurrent }) => !isCurrent);
  const endOthers = async () => {
    const text = 'All tokens and sessions but the one you use now stop working at once.';
    if (!(await confirm({ title: 'End all others?', text, action: 'End all others' }))) return;
    for (const way of others) await end(way);
    tell('All others are ended.');
    onChange();
  };
  const columns = useMemo(() => columnsOf((way) => void endOne(way)), [ways]);
  return (
    <Card
      title="Tokens and sessions"
      isFlush
      actions={
        <Button size="small" disabled={others.length === 0} onPress={endOthers}>
          End all others
        </Button>
      }
    >
      <Table
        label="Tokens and sessions"
        columns={columns}
        rows={ways}
        rowId={({ kind, id }) => `${kind} ${id}`}
        empty={<Empty icon={Monitor} title="No token and no session" />}
      />
    </Card>
  );
}

function columnsOf(end: (way: Way) => void): readonly Column<Way>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ name, isCurrent }) => (
        <span className="row">
          {name} {isCurrent && <Badge tone="good">in use now</Badge>}
        </span>
      ),
    },
    { id: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => kind },
    {
      id: 'used',
      title: 'Last used',
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="muted">never</span> : <Time at={lastUsedAt} />),
    },
    { id: 'address', title: 'From', cell: ({ lastAddress }) => <code>{lastAddress ?? '–'}</code> },
    {
      id: 'created',
      title: 'Made',
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
      cell: (way) => (
        <Button size="small" onPress={() => end(way)}>
          End
        </Button>
      ),
    },
  ];
}
