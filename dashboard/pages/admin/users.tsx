import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { Button } from '../../components/button';
import { Card, Facts } from '../../components/card';
import { Check, TextField } from '../../components/fields';
import { Form } from '../../components/form';
import { Credits, Time } from '../../components/format';
import { Empty } from '../../components/states';
import { tell } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const USER = graphql(`
  query ($address: String!) {
    user(substrateAddress: $address) {
      id
      username
      email
      substrateAddress
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
  mutation ($to: String!, $credits: Decimal!, $reason: String!, $key: String!) {
    adminGrantCredits(substrateAddress: $to, credits: $credits, reason: $reason, idempotencyKey: $key) {
      balance
    }
  }
`);
const SET_ROLES = graphql(`
  mutation ($to: String!, $roles: [Role!]!) {
    adminSetRoles(substrateAddress: $to, roles: $roles) {
      id
      roles
    }
  }
`);

const ROLES = ['ADMIN', 'BETA', 'MARKETING', 'VALIDATOR', 'SUPERUSER'] as const;

type User = ResultOf<typeof USER>['user'];
type Role = User['roles'][number];

/** Finds a user by address, and changes roles and credits. */
export function UserAdministration() {
  const client = useClient();
  const [address, setAddress] = useState('');
  const [user, setUser] = useState<User>();
  const find = async () => {
    const found = await done(client.query(USER, { address: address.trim() }, { requestPolicy: 'network-only' }));
    setUser(found.user);
  };
  return (
    <div className="stack loose">
      <Card title="Find a user">
        <Form submit="Find" label="Find a user" onSubmit={find}>
          <TextField
            label="SS58 address"
            required
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        </Form>
      </Card>
      {user ? (
        <UserCards key={user.id} user={user} onChange={find} />
      ) : (
        <Empty icon={UserRound} title="No user is chosen">
          Users see their address under Sessions and tokens.
        </Empty>
      )}
    </div>
  );
}

function UserCards({ user, onChange }: { readonly user: User; readonly onChange: () => Promise<void> }) {
  const { username, email, creditBalance, createdAt } = user;
  return (
    <div className="columns">
      <Card title="User">
        <Facts
          facts={[
            ['Name', username],
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
    </div>
  );
}

function RolesCard({ user, onChange }: { readonly user: User; readonly onChange: () => Promise<void> }) {
  const client = useClient();
  const [roles, setRoles] = useState<readonly Role[]>(user.roles);
  const save = async () => {
    await done(client.mutation(SET_ROLES, { to: user.substrateAddress ?? '', roles: [...roles] }));
    tell('The roles are saved.');
    await onChange();
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

function GrantCard({ user, onChange }: { readonly user: User; readonly onChange: () => Promise<void> }) {
  const client = useClient();
  const [credits, setCredits] = useState('');
  const [reason, setReason] = useState('');
  // The same grant is not booked twice when its answer was lost.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const give = async () => {
    await done(client.mutation(GRANT, { to: user.substrateAddress ?? '', credits, reason, key }));
    tell(`${credits} credits are granted.`);
    setKey(crypto.randomUUID());
    setCredits('');
    await onChange();
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
