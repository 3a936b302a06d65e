import { useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../../components/overlays/dialog';
import { TextField } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import type { Acts } from '../acts';
import { CREATE_GROUP } from '../operations';

/** Makes a group. */
export function GroupDialog({ acts, onClose }: { readonly acts: Acts; readonly onClose: () => void }) {
  const client = useClient();
  const [label, setLabel] = useState('');
  const submit = async () => {
    await acts.change(`The group ${label} is made.`, () => client.mutation(CREATE_GROUP, { label }));
    onClose();
  };
  return (
    <Dialog
      title="New group"
      lead="Machines of one kind, e.g. web servers. Policies join groups."
      isOpen
      onClose={onClose}
    >
      <Form submit="Make the group" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Label"
          hint="Lower-case letters, digits and dashes"
          pattern="[a-z0-9\-]{1,50}"
          required
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
      </Form>
    </Dialog>
  );
}
