import { useState } from 'react';
import { useClient } from 'urql';
import { Card } from '../../components/card';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql } from '../../graphql/graphql';

const SET_WARNING = graphql(`
  mutation ($id: ID!, $minutes: Int!) {
    setVmWarning(id: $id, minutes: $minutes) {
      id
      billing {
        warningMinutes
      }
    }
  }
`);

/** How long before credits run out the user is warned. */
export function WarningCard({ id, minutes: present }: { readonly id: string; readonly minutes: number }) {
  const client = useClient();
  const [typed, setTyped] = useState<string>();
  const minutes = typed ?? `${present}`;
  const submit = async () => {
    await done(client.mutation(SET_WARNING, { id, minutes: Number(minutes) }));
    setTyped(undefined);
    showToast('The warning is set.');
  };
  return (
    <Card title="Warning">
      <Form submit="Set the warning" label="Warning" onSubmit={submit}>
        <TextField
          label="Minutes before credits run out"
          hint="You are warned when your credits pay for all your machines for less time than this. 60 are an hour, 1440 a day; at most 31 days."
          type="number"
          min={0}
          max={44_640}
          required
          value={minutes}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Form>
    </Card>
  );
}
