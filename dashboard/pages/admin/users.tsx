import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { SelectField, TextField } from '../../components/forms/fields';
import { Time } from '../../components/format';
import { Empty, ListProblem, Skeleton } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { usePages } from '../../graphql/use-pages';
import { ROLES, type Role } from './roles';
import './users.css';

const USERS = graphql(`
  query ($search: String, $role: Role, $after: String) {
    users(search: $search, role: $role, after: $after) {
      nextCursor
      results {
        id
        username
        email
        substrateAddress
        roles
        createdAt
      }
    }
  }
`);

type User = ResultOf<typeof USERS>['users']['results'][number];

/** Milliseconds after the last key until the search is sent. */
const PAUSE_MS = 200;

/** What the server searches for: three letters or digits in a row, or more. */
const SEARCHABLE = /[\p{L}\p{N}]{3}/u;

/** Every user, newest first, with a search. */
export function UserList() {
  const [text, setText] = useState('');
  const [role, setRole] = useState<Role | ''>('');
  const search = SEARCHABLE.test(text) ? text.trim() : null;
  const { rows: users, error, more, reload } = useUsers(search, role === '' ? null : role);
  const isShort = text.trim() !== '' && search === null;
  return (
    <Card title="Users" isFlush>
      <div className="user-filters" role="search" aria-label="Filter the users">
        <TextField
          label="Search users"
          type="search"
          placeholder="Name, e-mail or SS58 address"
          {...(isShort && { hint: 'At least three letters or digits in a row' })}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <SelectField
          label="Role"
          value={role}
          onChange={({ target }) => setRole(ROLES.find((one) => one === target.value) ?? '')}
          options={[['', 'any'], ...ROLES.map((one) => [one, one.toLowerCase()] as const)]}
        />
      </div>
      <ListProblem error={error} hasRows={users !== undefined} onRetry={reload} />
      {users === undefined && error === undefined && <Skeleton />}
      {users && (
        <Table
          label="Users"
          columns={COLUMNS}
          rows={users}
          rowId={({ id }) => String(id)}
          empty={
            <Empty icon={UserRound} title="No users found">
              The search looks into names, e-mail addresses and SS58 addresses.
            </Empty>
          }
        />
      )}
      {more && (
        <div className="user-more">
          <Button onPress={more}>More</Button>
        </div>
      )}
    </Card>
  );
}

function useUsers(search: string | null, role: Role | null) {
  const client = useClient();
  const load = async (after: string | null) => {
    const { users } = await done(client.query(USERS, { search, role, after }, { requestPolicy: 'network-only' }));
    return { rows: users.results, next: users.nextCursor };
  };
  return usePages<User>(load, [client, search, role], search === null ? 0 : PAUSE_MS);
}

const COLUMNS: readonly Column<User>[] = [
  {
    id: 'name',
    title: 'Name',
    value: ({ username }) => username,
    cell: ({ id, username, substrateAddress }) => (
      <Link to={`/admin/users/${substrateAddress ?? id}`}>{shortened(username)}</Link>
    ),
  },
  { id: 'email', title: 'E-mail', value: ({ email }) => email ?? '', cell: ({ email }) => email ?? '–' },
  {
    id: 'address',
    title: 'SS58 address',
    cell: ({ substrateAddress }) => (
      <code title={substrateAddress ?? undefined}>{shortened(substrateAddress ?? '–')}</code>
    ),
  },
  {
    id: 'roles',
    title: 'Roles',
    cell: ({ roles }) => (
      <span className="row">
        {roles.map((role) => (
          <Badge key={role}>{role.toLowerCase()}</Badge>
        ))}
      </span>
    ),
  },
  {
    id: 'since',
    title: 'Since',
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** The beginning and the end of a long name. */
function shortened(text: string): string {
  return text.length > 24 ? `${text.slice(0, 12)}…${text.slice(-6)}` : text;
}
