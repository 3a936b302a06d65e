import { Pencil, Power, Share2, Trash2, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Badge } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { DescriptionList } from '../../components/card';
import { counted } from '../../components/format';
import type { GroupModel, Model, PolicyModel } from '../../topology/model';
import type { Acts } from './acts';
import { requireUnused } from './dialogs/group-uses';
import { focusPart } from './graph/focus';
import { PeerStatusMark } from './peer-status';

/** What is selected. */
export interface Selection {
  readonly id: string;
  /** Whether it was selected by a key: the panel then takes the focus, and Escape gives it back. */
  readonly isByKey: boolean;
}

interface DetailsProps {
  readonly model: Model;
  readonly selection: Selection;
  readonly acts: Acts;
  readonly onEdit: (policy: PolicyModel) => void;
  readonly onRename: (group: GroupModel) => void;
  readonly onSelect: (id: string) => void;
  readonly onPolicy: (groupId: string) => void;
}

/** What is selected on the drawing, and what can be done with it. Undefined if nothing is. */
export function Details({ model, selection, acts, onEdit, onRename, onSelect, onPolicy }: DetailsProps): ReactNode {
  const panel = useRef<HTMLElement>(null);
  const { id } = selection;
  useEffect(() => {
    if (selection.isByKey) panel.current?.focus();
  }, [selection]);
  const group = model.groupOf.get(id);
  const policy = model.policies.find(({ edge }) => edge.id === id);
  if (!group && !policy) return null;
  const close = () => {
    onSelect('');
    focusPart(id);
  };
  const draw = (groupId: string) => {
    onPolicy(groupId);
    focusPart(groupId);
  };
  return (
    <section
      className="panel"
      aria-label="Selected"
      ref={panel}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Button className="panel-close" kind="quiet" size="small" icon={X} label="Close" onPress={close} />
      {group && <GroupDetails {...{ group, model, acts, onRename, onSelect }} onPolicy={draw} />}
      {policy && <PolicyDetails policy={policy} model={model} acts={acts} onEdit={onEdit} />}
    </section>
  );
}

interface GroupDetailsProps {
  readonly group: GroupModel;
  readonly model: Model;
  readonly acts: Acts;
  readonly onRename: (group: GroupModel) => void;
  readonly onSelect: (id: string) => void;
  readonly onPolicy: (groupId: string) => void;
}

/** Members that the panel lists; the table has all. */
const SHOWN = 60;

function GroupDetails({ group, model, acts, onRename, onSelect, onPolicy }: GroupDetailsProps) {
  const { node, peers } = group;
  const policies = model.policies.filter(({ source, target }) => source === node.id || target === node.id);
  return (
    <>
      <h2>{node.label}</h2>
      <p className="row wrap">
        {node.meta.isDefault && <Badge>default</Badge>}
        <span className="muted">{counted(peers.length, 'peer')}</span>
      </p>
      <h3>Policies</h3>
      <ul className="panel-list">
        {policies.map((policy) => (
          <li key={policy.edge.id}>
            <button type="button" className="link-button" onClick={() => onSelect(policy.edge.id)}>
              {wayWords(policy, model)}
            </button>
          </li>
        ))}
        {policies.length === 0 && <li className="muted">None: nothing reaches this group.</li>}
      </ul>
      <h3>Members</h3>
      <ul className="panel-list">
        {peers.slice(0, SHOWN).map((peer) => (
          <li key={peer.id} className="row">
            <span className="truncate grow">{peer.label}</span>
            <span className="muted small">
              <PeerStatusMark status={peer.meta.status} />
            </span>
          </li>
        ))}
        {peers.length > SHOWN && <li className="muted">and {peers.length - SHOWN} more: see the table of peers</li>}
        {peers.length === 0 && <li className="muted">No machine is in it yet.</li>}
      </ul>
      <div className="row wrap">
        <Button icon={Share2} onPress={() => onPolicy(node.id)}>
          Draw a policy from here
        </Button>
        {!node.meta.isDefault && <OwnGroupActions {...{ group, model, acts, onRename }} />}
      </div>
    </>
  );
}

function OwnGroupActions({ group, model, acts, onRename }: Omit<GroupDetailsProps, 'onSelect' | 'onPolicy'>) {
  const remove = () => {
    requireUnused(group, model);
    return acts.deleteGroup(group);
  };
  return (
    <>
      <Button icon={Pencil} onPress={() => onRename(group)}>
        Rename
      </Button>
      <Button kind="quiet" className="danger" icon={Trash2} onPress={remove}>
        Delete the group
      </Button>
    </>
  );
}

/** A policy in words: `everything from web to all`. */
export function wayWords({ source, target, traffic, edge }: PolicyModel, { groupOf }: Model): string {
  const name = (id: string) => groupOf.get(id)?.node.label ?? id;
  const verb = edge.meta.action === 'drop' ? 'blocks' : 'allows';
  return `${verb} ${traffic}, ${name(source)} ${edge.meta.bidirectional === true ? '↔' : '→'} ${name(target)}`;
}

interface PolicyDetailsProps {
  readonly policy: PolicyModel;
  readonly model: Model;
  readonly acts: Acts;
  readonly onEdit: (policy: PolicyModel) => void;
}

function PolicyDetails({ policy, model, acts, onEdit }: PolicyDetailsProps) {
  const { meta } = policy.edge;
  const name = (id: string) => model.groupOf.get(id)?.node.label ?? id;
  return (
    <>
      <h2>Policy</h2>
      <p>
        <PolicyState policy={policy} />
      </p>
      <DescriptionList
        items={[
          ['From', name(policy.source)],
          ['To', name(policy.target)],
          ['Action', meta.action === 'drop' ? 'block' : 'allow'],
          ['Traffic', policy.traffic],
          ['Direction', meta.bidirectional === true ? 'both ways' : 'one way'],
        ]}
      />
      {meta.isManaged ? (
        <p className="muted">The platform keeps this policy; it cannot be changed.</p>
      ) : (
        <div className="row wrap">
          <Button icon={Pencil} onPress={() => onEdit(policy)}>
            Change
          </Button>
          <Button icon={Power} onPress={() => acts.setEnabled(policy)}>
            {meta.enabled === true ? 'Disable' : 'Enable'}
          </Button>
          <Button kind="quiet" className="danger" icon={Trash2} onPress={() => acts.deletePolicy(policy)}>
            Delete
          </Button>
        </div>
      )}
    </>
  );
}

/** Whether machines run a policy. */
export function PolicyState({ policy: { edge, isInForce } }: { readonly policy: PolicyModel }) {
  if (edge.meta.enabled === false) return <Badge>disabled</Badge>;
  return isInForce ? (
    <Badge tone="good">in force on both ends</Badge>
  ) : (
    <Badge tone="warn">not yet on every machine</Badge>
  );
}
