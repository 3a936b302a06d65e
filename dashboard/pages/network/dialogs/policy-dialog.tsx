import { useDeferredValue, useState } from 'react';
import { useClient } from 'urql';
import { Check, SelectField, TextField } from '../../../components/forms/fields';
import { Dialog } from '../../../components/overlays/dialog';
import { Form } from '../../../components/forms/form';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';
import type { Draft } from '../draft';
import { CREATE_POLICY, UPDATE_POLICY } from '../operations';
import { PlanView } from '../plan-view';
import { usePlan } from '../use-plan';

interface PolicyDialogProps {
  readonly model: Model;
  readonly revision: number;
  readonly draft: Draft;
  readonly acts: Acts;
  readonly onClose: () => void;
}

/** Makes or changes a policy, and shows before who gains and who loses. */
export function PolicyDialog({ model, revision, draft: first, acts, onClose }: PolicyDialogProps) {
  const client = useClient();
  const [draft, setDraft] = useState(first);
  const planned = useDeferredValue(draft);
  const plan = usePlan({ ...(planned.id !== undefined && { id: planned.id }), ...fieldsOf(planned) }, revision);
  const isPlanned = planned === draft && plan.isReady;
  const submit = async () => {
    const fields = fieldsOf(draft);
    const { id } = draft;
    if (id === undefined) await acts.change('The policy is created.', () => client.mutation(CREATE_POLICY, fields));
    else await acts.change('The policy is changed.', () => client.mutation(UPDATE_POLICY, { id, ...fields }));
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
      <Form
        submit={isNew ? 'Apply the policy' : 'Apply the change'}
        onSubmit={submit}
        onCancel={onClose}
        isDisabled={!isPlanned}
      >
        <PolicyFields model={model} draft={draft} onChange={(change) => setDraft((last) => ({ ...last, ...change }))} />
        <PlanView model={model} {...plan} />
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
        label="Allow both directions"
        checked={draft.bidirectional}
        onChange={({ target }) => onChange({ bidirectional: target.checked })}
      />
    </>
  );
}
