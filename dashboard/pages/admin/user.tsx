import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card, DescriptionList } from '../../components/card';
import { Check, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Credits, Time } from '../../components/format';
import { confirm } from '../../components/overlays/confirm';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { newIdempotencyKey } from '../../components/forms/idempotency-key';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { ROLES, type Role } from './roles';

const USER = graphql(`
  query ($substrateAddress: String, $userId: Int) {
    user(substrateAddress: $substrateAddress, userId: $userId) {
      id
      username
      email
      substrateAddress
      isAddressVerified
      roles
      createdAt
      creditBalance {
        balance
        debt
        held
      }
    }
  }
`);
const GRANT = graphql(`
  mutation ($to: Int!, $credits: Decimal!, $reason: String!, $key: String!) {
    adminGrantCredits(userId: $to, credits: $credits, reason: $reason, idempotencyKey: $key) {
      balance
    }
  }
`);
const ROLES_OF_USER = graphql('query ($userId: Int!) { user(userId: $userId) { id roles } }');
const SET_ROLES = graphql(`
  mutation ($to: Int!, $roles: [Role!]!) {
    adminSetRoles(userId: $to, roles: $roles) {
      id
      roles
    }
  }
`);
const ASSIGN_BUCKET = graphql(`
  mutation ($to: String!, $name: String!) {
    adminAssignBucket(substrateAddress: $to, name: $name) {
      name
    }
  }
`);

type User = ResultOf<typeof USER>['user'];

/** One user, by SS58 address or id, with roles and credits to change. */
export function UserPage() {
  const { address = '' } = useParams({ strict: false });
  // An SS58 address has letters.
  const key = /^\d+$/.test(address) ? { userId: Number(address) } : { substrateAddress: address };
  const query = useQuery({ query: USER, variables: key, requestPolicy: 'cache-and-network' });
  const [{ data }, reload] = query;
  const onChange = () => reload({ requestPolicy: 'network-only' });
  return (
    <Page
      title="User"
      lead={data && <span className="break">{data.user.username}</span>}
      above={[{ title: 'Administration', to: '/admin' }]}
    >
      <QueryView query={query} lines={6}>
        {({ user }) => <UserCards key={user.id} user={user} onChange={onChange} />}
      </QueryView>
    </Page>
  );
}

function UserCards({ user, onChange }: { readonly user: User; readonly onChange: () => void }) {
  const { username, email, creditBalance, createdAt } = user;
  return (
    <div className="columns">
      <Card title="User">
        <DescriptionList
          items={[
            ['Number', user.id],
            [
              'Name',
              <span key="name" className="break">
                {username}
              </span>,
            ],
            ['SS58 address', <code key="address">{user.substrateAddress ?? 'none'}</code>],
            ['Proof of the address', proofOf(user)],
            ['E-mail', email ?? 'none'],
            ['Since', <Time key="since" at={createdAt} />],
            ['Credits', creditBalance ? <Credits key="credits" amount={creditBalance.balance} /> : '–'],
            ['Debt', creditBalance?.debt ?? '–'],
            ['Reserved', creditBalance?.held ?? '–'],
          ]}
        />
      </Card>
      <RolesCard user={user} onChange={onChange} />
      <GrantCard user={user} onChange={onChange} />
      {user.substrateAddress !== null && <BucketCard to={user.substrateAddress} />}
    </div>
  );
}

function proofOf({ substrateAddress, isAddressVerified }: User): string {
  if (substrateAddress === null) return '–';
  return isAddressVerified ? 'signed by its key' : 'none: the address is only claimed, and its owner can take it';
}

function RolesCard({ user, onChange }: { readonly user: User; readonly onChange: () => void }) {
  const client = useClient();
  const me = useMe();
  const [roles, setRoles] = useState<readonly Role[]>(user.roles);
  // Shows those that another administrator saved.
  useEffect(() => setRoles(user.roles), [user.roles.join()]);
  const save = async () => {
    if (!(await confirmLoss(user, roles, me.id === user.id)) || !(await confirmGain(user, roles))) return;
    const present = await done(client.query(ROLES_OF_USER, { userId: user.id }, { requestPolicy: 'network-only' }));
    if (new Set(present.user.roles).symmetricDifference(new Set(user.roles)).size > 0) {
      onChange();
      throw new Error('The roles were changed meanwhile. The form shows them now; nothing is saved.');
    }
    await done(client.mutation(SET_ROLES, { to: user.id, roles: [...roles] }));
    showToast('The roles are saved.');
    onChange();
  };
  const toggle = (role: Role, isOn: boolean) =>
    setRoles(isOn ? [...roles, role] : roles.filter((other) => other !== role));
  return (
    <Card title="Roles">
      {ROLES.map((role) => (
        <Check
          key={role}
          label={role.toLowerCase()}
          checked={roles.includes(role)}
          onChange={({ target }) => toggle(role, target.checked)}
        />
      ))}
      <div className="form-end">
        <Button onPress={save}>Save the roles</Button>
      </div>
    </Card>
  );
}

/** Roles with which users administer the platform. */
const POWERS: readonly Role[] = ['ADMIN', 'SUPERUSER'];

/** Confirms that a user, perhaps who is signed in, loses roles of an administrator. True if none is lost. */
async function confirmLoss(user: User, roles: readonly Role[], isSelf: boolean): Promise<boolean> {
  const lost = POWERS.filter((role) => user.roles.includes(role) && !roles.includes(role));
  if (lost.length === 0) return true;
  const title = `Take ${lost.join(' and ')} from ${isSelf ? 'yourself' : 'this user'}?`;
  const them = lost.length === 1 ? 'it' : 'them';
  const text = isSelf
    ? `You may not be able to give ${them} back to yourself.`
    : `From now on the user can no longer do what ${lost.length === 1 ? 'this role allows' : 'these roles allow'}.`;
  return confirm({ title, text, action: 'Save the roles' });
}

/** Confirms that a user gets roles of an administrator. True if none is new. */
async function confirmGain(user: User, roles: readonly Role[]): Promise<boolean> {
  const gained = POWERS.filter((role) => roles.includes(role) && !user.roles.includes(role));
  if (gained.length === 0) return true;
  const title = `Give ${gained.join(' and ')} to this user?`;
  const text = gained.includes('SUPERUSER')
    ? 'From now on the user has every role, and can give and take every role.'
    : 'From now on the user administers this platform: its users, their credits and payments, and the catalogue.';
  return confirm({ title, text, action: gained.length === 1 ? 'Give the role' : 'Give the roles' });
}

function GrantCard({ user, onChange }: { readonly user: User; readonly onChange: () => void }) {
  const client = useClient();
  const [credits, setCredits] = useState('');
  const [reason, setReason] = useState('');
  // The same grant is not booked twice when its answer was lost.
  const [key, setKey] = useState(() => newIdempotencyKey());
  const give = async () => {
    await done(client.mutation(GRANT, { to: user.id, credits, reason, key }));
    showToast(`${credits} credits are granted.`);
    setKey(newIdempotencyKey());
    setCredits('');
    setReason('');
    onChange();
  };
  return (
    <Card title="Grant credits">
      <Form submit="Grant" label="Grant credits" onSubmit={give}>
        <TextField
          label="Credits"
          inputMode="decimal"
          required
          value={credits}
          onChange={({ target }) => setCredits(target.value)}
        />
        <TextField label="Reason" required value={reason} onChange={({ target }) => setReason(target.value)} />
      </Form>
    </Card>
  );
}

function BucketCard({ to }: { readonly to: string }) {
  const client = useClient();
  const [name, setName] = useState('');
  const assign = async () => {
    await done(client.mutation(ASSIGN_BUCKET, { to, name }));
    showToast(`The bucket ${name} belongs to this user.`);
    setName('');
  };
  return (
    <Card title="Assign a bucket">
      <Form submit="Assign" label="Assign a bucket" onSubmit={assign}>
        <TextField
          label="Bucket"
          hint="The name of a bucket that is in the object store already and belongs to nobody here."
          required
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Form>
    </Card>
  );
}
