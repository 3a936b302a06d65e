import { useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../../components/overlays/dialog';
import { TextField } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import { graphql } from '../../../graphql/graphql';
import type { GroupModel } from '../../../topology/model';
import type { Acts } from '../acts';
import { CREATE_GROUP } from '../operations';

const RENAME_GROUP = graphql(
  'mutation ($id: Int!, $label: String!) { updateGroup(id: $id, label: $label) { id label } }',
);

interface GroupDialogProps {
  /** The group to rename; undefined: a new group. */
  readonly group: GroupModel | undefined;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Creates or renames a group. */
export function GroupDialog({ group, acts, onClose }: GroupDialogProps) {
  const client = useClient();
  const before = group?.node.label ?? '';
  const [label, setLabel] = useState(before);
  const submit = async () => {
    if (!group) await acts.change(`The group ${label} is created.`, () => client.mutation(CREATE_GROUP, { label }));
    else {
      const variables = { id: group.groupId, label };
      await acts.change(`The group ${before} is now ${label}.`, () => client.mutation(RENAME_GROUP, variables));
    }
    onClose();
  };
  return (
    <Dialog
      title={group ? `Rename the group ${before}` : 'New group'}
      lead={
        group
          ? 'Its members and policies stay; no machine gets a new configuration.'
          : 'Machines of one kind, e.g. web servers. Policies connect groups.'
      }
      isOpen
      onClose={onClose}
    >
      <Form submit={group ? 'Rename' : 'Create the group'} onSubmit={submit} onCancel={onClose}>
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
