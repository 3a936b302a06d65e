import { useState } from 'react';
import { Dialog } from '../../../components/overlays/dialog';
import { Check } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';

interface GroupsDialogProps {
  readonly peer: GraphNode;
  readonly model: Model;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Changes the groups of a peer. */
export function GroupsDialog({ peer, model, acts, onClose }: GroupsDialogProps) {
  const [groups, setGroups] = useState<ReadonlySet<number>>(new Set(peer.meta.groups));
  const toggle = (id: number) => setGroups((last) => last.symmetricDifference(new Set([id])));
  const submit = async () => {
    await acts.setGroups({ peer, groups: [...groups], model });
    onClose();
  };
  return (
    <Dialog title={`Groups of ${peer.label}`} lead="It needs at least one." isOpen onClose={onClose}>
      <Form submit="Change the groups" onSubmit={submit} onCancel={onClose} isDisabled={groups.size === 0}>
        <div className="stack tight">
          {model.groups.map(({ groupId, node }) => (
            <Check key={groupId} label={node.label} checked={groups.has(groupId)} onChange={() => toggle(groupId)} />
          ))}
        </div>
      </Form>
    </Dialog>
  );
}
