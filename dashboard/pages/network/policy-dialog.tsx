import { useDeferredValue, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Check, SelectField, TextField } from '../../components/fields';
import { Dialog } from '../../components/dialog';
import { Form } from '../../components/form';
import { done } from '../../graphql/done';
import type { Model, PolicyModel } from '../../topology/model';
import type { Acts } from './acts';
import { CREATE_POLICY, PLAN, UPDATE_POLICY } from './operations';
import { PlanView } from './plan-view';

/** A policy as it is being written. */
export interface Draft {
  /** The policy to change; missing for a new one. */
  readonly id?: number;
  readonly source: number;
  readonly dest: number;
  readonly action: 'accept' | 'drop';
  readonly protocol: 'all' | 'tcp' | 'udp' | 'icmp';
  readonly ports: string;
  readonly bidirectional: boolean;
}

/** The draft of a change of a policy. */
export function draftOf({ policyId, edge: { meta } }: PolicyModel, source: number, dest: number): Draft {
  return {
    id: policyId,
    source,
    dest,
    action: meta.action ?? 'accept',
    protocol: meta.protocol ?? 'all',
    ports: (meta.ports ?? []).join(', '),
    bidirectional: meta.bidirectional ?? true,
  };
}

interface PolicyDialogProps {
  readonly model: Model;
  readonly draft: Draft;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Makes or changes a policy, and shows before who gains and who loses. */
export function PolicyDialog({ model, draft: first, acts, onClose }: PolicyDialogProps) {
  const client = useClient();
  const [draft, setDraft] = useState(first);
  const planned = useDeferredValue(draft);
  const [{ data, error, fetching }] = useQuery({
    query: PLAN,
    variables: { ...(planned.id !== undefined && { id: planned.id }), ...fieldsOf(planned) },
    requestPolicy: 'network-only',
  });
  const submit = async () => {
    const fields = fieldsOf(draft);
    if (draft.id === undefined) await done(client.mutation(CREATE_POLICY, fields));
    else await done(client.mutation(UPDATE_POLICY, { id: draft.id, ...fields }));
    acts.told(draft.id === undefined ? 'The policy is made.' : 'The policy is changed.');
    onClose();
  };
  const isNew = draft.id === undefined;
  return (
    <Dialog
      title={isNew ? 'New policy' : 'Change the policy'}
      lead="A policy lets machines of one group reach those of another. Nothing changes until you apply it."
      isOpen
      isWide
      onClose={onClose}
    >
      <Form submit={isNew ? 'Apply the policy' : 'Apply the change'} onSubmit={submit} onCancel={onClose}>
        <PolicyFields model={model} draft={draft} onChange={(change) => setDraft((last) => ({ ...last, ...change }))} />
        <PlanView model={model} plan={data?.planPolicy} error={error} isLoading={fetching} />
      </Form>
    </Dialog>
  );
}

function fieldsOf({ source, dest, action, protocol, ports, bidirectional }: Draft) {
  const list = hasPorts(protocol) ? ports.split(/[\s,]+/).filter(Boolean) : [];
  return { source, dest, action, protocol, bidirectional, ports: list };
}

function hasPorts(protocol: Draft['protocol']): boolean {
  return protocol === 'tcp' || protocol === 'udp';
}

interface PolicyFieldsProps {
  readonly model: Model;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

const ACTIONS = [
  ['accept', 'Allow'],
  ['drop', 'Block'],
] as const;

const PROTOCOLS = [
  ['all', 'Everything'],
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['icmp', 'ICMP'],
] as const;

function PolicyFields({ model, draft, onChange }: PolicyFieldsProps) {
  const groups = model.groups.map(({ groupId, node }) => [`${groupId}`, node.label] as const);
  return (
    <>
      <div className="form-row">
        <SelectField
          label="From"
          options={groups}
          value={draft.source}
          onChange={({ target }) => onChange({ source: Number(target.value) })}
        />
        <SelectField
          label="To"
          options={groups}
          value={draft.dest}
          onChange={({ target }) => onChange({ dest: Number(target.value) })}
        />
      </div>
      <div className="form-row">
        <SelectField
          label="Action"
          options={ACTIONS}
          value={draft.action}
          onChange={({ target }) => onChange({ action: target.value === 'drop' ? 'drop' : 'accept' })}
        />
        <SelectField
          label="Protocol"
          options={PROTOCOLS}
          value={draft.protocol}
          onChange={({ target }) => onChange({ protocol: PROTOCOLS.find(([id]) => id === target.value)?.[0] ?? 'all' })}
        />
        <TextField
          label="Ports"
          placeholder={hasPorts(draft.protocol) ? 'every port, or 443, 8000-8100' : 'every port'}
          disabled={!hasPorts(draft.protocol)}
          value={hasPorts(draft.protocol) ? draft.ports : ''}
          onChange={({ target }) => onChange({ ports: target.value })}
        />
      </div>
      <Check
        label="Also the way back"
        checked={draft.bidirectional}
        onChange={({ target }) => onChange({ bidirectional: target.checked })}
      />
    </>
  );
}
