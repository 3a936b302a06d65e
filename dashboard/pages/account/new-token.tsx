import { useState } from 'react';
import { useClient } from 'urql';
import { Button } from '../../components/forms/button';
import { CopyLine } from '../../components/forms/copy';
import { SelectField, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Dialog } from '../../components/overlays/dialog';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const CREATE_TOKEN = graphql(
  'mutation ($name: String!, $days: Int!) { createToken(name: $name, days: $days) { token } }',
);

const LIFETIMES: readonly (readonly [days: string, text: string])[] = [
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
];

/** Creates an API token for a program and shows it once. */
export function NewTokenButton({ onCreated }: { readonly onCreated: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)}>
        New token
      </Button>
      {isOpen && <NewTokenDialog onCreated={onCreated} onClose={() => setOpen(false)} />}
    </>
  );
}

interface NewTokenDialogProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

function NewTokenDialog({ onCreated, onClose }: NewTokenDialogProps) {
  const client = useClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [token, setToken] = useState<string>();
  const submit = async () => {
    const { createToken } = await done(client.mutation(CREATE_TOKEN, { name, days: Number(days) }));
    setToken(createToken.token);
    onCreated();
  };
  if (token !== undefined) return <CreatedDialog token={token} onClose={onClose} />;
  return (
    <Dialog title="New token" lead="For a program. It may do all that you may do." isOpen onClose={onClose}>
      <Form submit="Create the token" label="New token" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="Expires"
          options={LIFETIMES}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
      </Form>
    </Dialog>
  );
}

function CreatedDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Save the token now" lead="It is not shown again." isOpen stays onClose={onClose}>
      <CopyLine text={token} label="Copy the token" />
      <div className="form-end">
        <Button kind="primary" onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
