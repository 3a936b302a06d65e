import { Handle, Position, useConnection, type NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight, Route } from 'lucide-react';
import { createContext, memo, useContext } from 'react';
import { counted } from '../../../components/format';
import type { GraphNode } from '../../../topology/graph';
import type { GroupModel } from '../../../topology/model';
import { listed, MAX_LISTED, type GroupBox } from './boxes';
import { STATUS } from '../peer-status';

/** Opens or closes the box of a group. */
export const ToggleContext = createContext<(id: string) => void>(() => undefined);

/** A group as a box: its name, the state of its machines, and its members when it is open. Not drawn again where it is moved. */
export const GroupBoxView = memo(
  GroupBoxContent,
  (last: NodeProps<GroupBox>, next) => last.data === next.data && last.selected === next.selected,
);

function GroupBoxContent({ id, data, selected }: NodeProps<GroupBox>) {
  const { group, isOpen, isDim, inner } = data;
  const classes = ['group-box', selected && 'selected', isDim && 'dim'].filter(Boolean).join(' ');
  return (
    <div className={classes}>
      <Ends />
      <div className="group-box-head">
        <ToggleButton id={id} isOpen={isOpen} label={group.node.label} />
        <strong className="truncate grow">{group.node.label}</strong>
        {inner.length > 0 && (
          <span className="group-box-inner" title={`Its members reach each other: ${inner[0]?.traffic ?? ''}`}>
            <Route size={13} aria-hidden />
          </span>
        )}
      </div>
      <Health group={group} />
      {isOpen && <Members group={group} />}
    </div>
  );
}

/** The points that policies are dragged from and to: from the dot, to anywhere on the box. */
function Ends() {
  const isDragging = useConnection(({ inProgress }) => inProgress);
  return (
    <>
      <Handle
        type="target"
        position={Position.Left}
        className={isDragging ? 'end-target catching' : 'end-target'}
        isConnectableStart={false}
      />
      <Handle type="source" position={Position.Right} className="end-source" title="Drag to another group" />
    </>
  );
}

function ToggleButton({
  id,
  isOpen,
  label,
}: {
  readonly id: string;
  readonly isOpen: boolean;
  readonly label: string;
}) {
  const toggle = useContext(ToggleContext);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      className="group-box-toggle nodrag"
      aria-expanded={isOpen}
      aria-label={`${isOpen ? 'Close' : 'Open'} ${label}`}
      onClick={(event) => {
        event.stopPropagation();
        toggle(id);
      }}
    >
      <Chevron size={14} aria-hidden />
    </button>
  );
}

function Health({ group: { peers, joined, inForce, resources } }: { readonly group: GroupModel }) {
  const share = (count: number) => ({ width: `${peers.length === 0 ? 0 : (count / peers.length) * 100}%` });
  return (
    <div className="group-box-health">
      <span className="muted small truncate">
        {counted(peers.length, 'peer')}
        {resources.length > 0 && `, ${counted(resources.length, 'resource')}`}
        {peers.length > 0 && ` · ${inForce} up to date`}
      </span>
      <span className="health-bar" aria-hidden>
        <span className="good" style={share(inForce)} />
        <span className="warn" style={share(joined - inForce)} />
      </span>
    </div>
  );
}

function Members({ group }: { readonly group: GroupModel }) {
  const count = group.peers.length + group.resources.length;
  if (count === 0) return null;
  return (
    <ul className="group-box-members">
      {listed(group).map((node) => (
        <Member key={node.id} node={node} />
      ))}
      {count > MAX_LISTED && <li className="muted">and {count - MAX_LISTED} more</li>}
    </ul>
  );
}

const Member = memo(function Member({ node: { type, label, meta } }: { readonly node: GraphNode }) {
  const { tone, words } =
    type === 'peer'
      ? STATUS[meta.status ?? 'never_seen']
      : { tone: meta.enforced ? 'good' : 'hollow', words: meta.enforced ? 'enforced' : 'not enforced' };
  return (
    <li>
      <span className={`dot ${tone}${type === 'resource' ? ' square' : ''}`} title={words} />
      <span className="truncate grow">{label}</span>
      <code className="muted">{meta.ip ?? meta.address}</code>
    </li>
  );
});
