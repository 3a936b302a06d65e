import { useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../../components/overlays/dialog';
import { Check, SelectField, TextField } from '../../../components/forms/fields';
import { Form } from '../../../components/forms/form';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';
import { CREATE_NETWORK, CREATE_RESOURCE, CREATE_ROUTER } from '../operations';

/** What is to be added. */
export type Addition =
  | { readonly kind: 'network' }
  | { readonly kind: 'resource'; readonly networkId: number }
  | { readonly kind: 'router'; readonly networkId: number };

interface AddDialogProps {
  readonly addition: Addition;
  readonly model: Model;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Adds a network, or a resource or router to one. */
export function AddDialog(props: AddDialogProps) {
  const { addition } = props;
  if (addition.kind === 'network') return <NetworkDialog {...props} />;
  if (addition.kind === 'router') return <RouterDialog {...props} networkId={addition.networkId} />;
  return <ResourceDialog {...props} networkId={addition.networkId} />;
}

function NetworkDialog({ acts, onClose }: AddDialogProps) {
  const client = useClient();
  const [name, setName] = useState('');
  const submit = async () => {
    await acts.change(`The network ${name} is created.`, () => client.mutation(CREATE_NETWORK, { name }));
    onClose();
  };
  return (
    <Dialog title="New network" isOpen onClose={onClose}>
      <Form submit="Create the network" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Name"
          required
          maxLength={128}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Form>
    </Dialog>
  );
}

function RouterDialog({ model, acts, onClose, networkId }: AddDialogProps & { readonly networkId: number }) {
  const client = useClient();
  const [peer, setPeer] = useState(`${model.peers[0]?.meta.peerId ?? ''}`);
  const [metric, setMetric] = useState('9999');
  const [masquerade, setMasquerade] = useState(true);
  const [enabled, setEnabled] = useState(true);
  const submit = async () => {
    const variables = { networkId, peerId: Number(peer), metric: Number(metric), masquerade, enabled };
    await acts.change('The router is added.', () => client.mutation(CREATE_ROUTER, variables));
    onClose();
  };
  const options = model.peers.map(
    ({ label, meta }) => [`${meta.peerId ?? ''}`, `${label} · ${meta.ip ?? ''}`] as const,
  );
  return (
    <Dialog title="Add a router" lead="A peer that can reach the addresses of this network." isOpen onClose={onClose}>
      <Form submit="Add the router" onSubmit={submit} onCancel={onClose} isDisabled={options.length === 0}>
        <SelectField label="Peer" options={options} value={peer} onChange={({ target }) => setPeer(target.value)} />
        <TextField
          label="Metric"
          hint="1 to 9999. The router with the lowest one is used."
          type="number"
          min={1}
          max={9999}
          required
          value={metric}
          onChange={({ target }) => setMetric(target.value)}
        />
        <Check
          label="Masquerade: packets get the address of the router as their source"
          checked={masquerade}
          onChange={({ target }) => setMasquerade(target.checked)}
        />
        <Check label="Enabled" checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
      </Form>
    </Dialog>
  );
}

function ResourceDialog({ model, acts, onClose, networkId }: AddDialogProps & { readonly networkId: number }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [group, setGroup] = useState(`${model.groups[0]?.groupId ?? ''}`);
  const submit = async () => {
    const variables = { networkId, name, address, groups: [Number(group)] };
    await acts.change(`The resource ${name} is added.`, () => client.mutation(CREATE_RESOURCE, variables));
    onClose();
  };
  return (
    <Dialog title="Add a resource" lead="An address behind the routers of this network." isOpen onClose={onClose}>
      <Form submit="Add the resource" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Name"
          required
          maxLength={128}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Address"
          hint="An address, a range like 10.1.0.0/16, or a name"
          required
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <SelectField
          label="Group"
          hint="Policies to this group apply to it."
          options={model.groups.map(({ groupId, node }) => [`${groupId}`, node.label])}
          value={group}
          onChange={({ target }) => setGroup(target.value)}
        />
      </Form>
    </Dialog>
  );
}
