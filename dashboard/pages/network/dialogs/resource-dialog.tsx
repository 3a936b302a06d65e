import { useDeferredValue, useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../../components/overlays/dialog';
import { Check, TextField } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';
import { DELETE_NETWORK, UPDATE_RESOURCE } from '../operations';
import { PlanView } from '../plan-view';
import { useRoutedPlan, type RoutedNetwork } from '../tables/use-routed-plan';

interface ResourceDialogProps {
  readonly resource: GraphNode;
  readonly networks: readonly RoutedNetwork[];
  readonly model: Model;
  readonly revision: number;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Changes a resource, and shows before who gains and who loses. */
export function ResourceDialog({ resource, networks, model, revision, acts, onClose }: ResourceDialogProps) {
  const client = useClient();
  const { meta } = resource;
  const [name, setName] = useState(resource.label);
  const [address, setAddress] = useState(meta.address ?? '');
  const [groups, setGroups] = useState<ReadonlySet<number>>(new Set(meta.groups));
  const [enabled, setEnabled] = useState(meta.enabled !== false);
  const planned = useDeferredValue(address);
  const draft = { id: resource.id, address: planned, groups: [...groups], enabled };
  const plan = useRoutedPlan({ model, revision, networks, draft });
  const submit = async () => {
    const ids = { networkId: meta.networkId ?? 0, id: meta.resourceId ?? 0 };
    const variables = { ...ids, name, address, groups: [...groups], enabled };
    await acts.change(`The resource ${name} is changed.`, () => client.mutation(UPDATE_RESOURCE, variables));
    onClose();
  };
  return (
    <Dialog
      title={`Change ${resource.label}`}
      lead="Nothing changes until you apply it."
      isOpen
      isWide
      onClose={onClose}
    >
      <Form
        submit="Apply the change"
        onSubmit={submit}
        onCancel={onClose}
        isDisabled={planned !== address || !plan.isReady}
      >
        <TextField
          label="Name"
          required
          maxLength={128}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField label="Address" required value={address} onChange={({ target }) => setAddress(target.value)} />
        <Check label="Enabled" checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
        <GroupChoice model={model} groups={groups} onChange={setGroups} />
        <PlanView model={model} {...plan} />
      </Form>
    </Dialog>
  );
}

interface GroupChoiceProps {
  readonly model: Model;
  readonly groups: ReadonlySet<number>;
  readonly onChange: (groups: ReadonlySet<number>) => void;
}

function GroupChoice({ model, groups, onChange }: GroupChoiceProps) {
  return (
    <fieldset className="stack tight">
      <legend>Groups</legend>
      {model.groups.map(({ groupId, node }) => (
        <Check
          key={groupId}
          label={node.label}
          checked={groups.has(groupId)}
          onChange={() => onChange(groups.symmetricDifference(new Set([groupId])))}
        />
      ))}
    </fieldset>
  );
}

interface DeleteNetworkDialogProps {
  readonly network: RoutedNetwork;
  readonly networks: readonly RoutedNetwork[];
  readonly model: Model;
  readonly revision: number;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Asks whether to delete a network, and shows who would lose what. */
export function DeleteNetworkDialog({ network, networks, acts, onClose, ...present }: DeleteNetworkDialogProps) {
  const client = useClient();
  const { id, name } = network;
  const plan = useRoutedPlan({ ...present, networks: networks.filter((other) => other.id !== id) });
  const submit = async () => {
    await acts.change(`The network ${name} is deleted.`, () => client.mutation(DELETE_NETWORK, { id }));
    onClose();
  };
  return (
    <Dialog
      title={`Delete the network ${name}?`}
      lead="Its resources and routers are deleted too. You can undo it afterwards."
      isOpen
      isWide
      onClose={onClose}
    >
      <Form submit="Delete the network" isDangerous onSubmit={submit} onCancel={onClose} isDisabled={!plan.isReady}>
        <PlanView model={present.model} {...plan} />
      </Form>
    </Dialog>
  );
}
