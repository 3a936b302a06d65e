import { useState } from 'react';
import { useClient } from 'urql';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { confirm } from '../../components/overlays/confirm';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const SET = graphql('mutation ($email: String!) { setEmail(email: $email) }');
const REMOVE = graphql('mutation { removeEmail }');
const CONFIRM = graphql('mutation ($code: String!) { confirmEmail(code: $code) }');

/** The address for notifications, confirmed by a code that is sent to it. */
export function EmailCard() {
  const { email } = useMe();
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Card title="E-mail">
      <div className="stack">
        <p>{email === null ? 'No address is confirmed yet.' : `Confirmed: ${email}`}</p>
        {email !== null && <RemoveButton email={email} />}
        {sentTo === undefined ? (
          <AddressForm onSent={setSentTo} />
        ) : (
          <CodeForm address={sentTo} onDone={() => setSentTo(undefined)} />
        )}
      </div>
    </Card>
  );
}

function RemoveButton({ email }: { readonly email: string }) {
  const client = useClient();
  const remove = async () => {
    const title = `Remove ${email}?`;
    if (
      !(await confirm({
        title,
        text: 'Nothing is sent by e-mail until you confirm an address, or sign in with a provider that has verified one.',
        action: 'Remove',
      }))
    )
      return;
    await done(client.mutation(REMOVE, {}, { additionalTypenames: ['User'] }));
    showToast(`${email} is removed.`);
  };
  return (
    <Button kind="quiet" onPress={remove}>
      Remove the address
    </Button>
  );
}

function AddressForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const client = useClient();
  const [email, setEmail] = useState('');
  const sendCode = async () => {
    await done(client.mutation(SET, { email }));
    onSent(email);
  };
  return (
    <Form submit="Send a code" label="E-mail" onSubmit={sendCode}>
      <TextField
        label="New address"
        hint="A code is sent to it; it is valid for 15 minutes."
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </Form>
  );
}

function CodeForm({ address, onDone }: { readonly address: string; readonly onDone: () => void }) {
  const client = useClient();
  const [code, setCode] = useState('');
  const confirmCode = async () => {
    const { confirmEmail } = await done(client.mutation(CONFIRM, { code }, { additionalTypenames: ['User'] }));
    showToast(`${confirmEmail} is confirmed.`);
    onDone();
  };
  return (
    <>
      <Form submit="Confirm" label="Confirm the address" onSubmit={confirmCode}>
        <TextField
          label={`Code sent to ${address}`}
          autoCapitalize="characters"
          spellCheck={false}
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Form>
      <Button kind="quiet" onPress={onDone}>
        Another address
      </Button>
    </>
  );
}
