import { Handle, Position, useConnection, type NodeProps } from '@xyflow/react';
import { ChevronDown, ChevronRight, Route } from 'lucide-react';
import { createContext, memo, useContext, useState, type DragEvent } from 'react';
import { counted } from '../../../components/format';
import type { GraphNode } from '../../../topology/graph';
import type { GroupModel } from '../../../topology/model';
import { listed, MAX_LISTED, type GroupBox } from './boxes';
import { STATUS } from '../peer-status';

/** What is done in a box: it is opened or closed, or gets a peer that was dragged from the box of another group. */
export interface BoxActs {
  readonly toggle: (id: string) => void;
  readonly onMove: (peer: string, from: string, to: string) => void;
}

export const BoxActsContext = createContext<BoxActs>({ toggle: () => undefined, onMove: () => undefined });

/** A group as a box: its name, the state of its machines, and its members when it is open. Not drawn again where it is moved. */
export const GroupBoxView = memo(
  GroupBoxContent,
  (last: NodeProps<GroupBox>, next) => last.data === next.data && last.selected === next.selected,
);

function GroupBoxContent({ id, data, selected }: NodeProps<GroupBox>) {
  const { group, isOpen, isDim, inner } = data;
  const { isReceiving, ...drop } = useDrop(id);
  const classes = ['group-box', selected && 'selected', isDim && 'dim', isReceiving && 'receiving'];
  return (
    <div className={classes.filter(Boolean).join(' ')} {...drop}>
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
  const { toggle } = useContext(BoxActsContext);
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
        <Member key={node.id} node={node} group={group.node.id} />
      ))}
      {count > MAX_LISTED && <li className="muted">and {count - MAX_LISTED} more</li>}
    </ul>
  );
}

/** What a dragged peer carries: its node and that of the group it comes from. */
const DRAGGED_PEER = 'application/x-archipelago-peer';

/** Takes peers that are dropped on the box of a group. */
function useDrop(id: string) {
  const { onMove } = useContext(BoxActsContext);
  const [isReceiving, setReceiving] = useState(false);
  return {
    isReceiving,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAGGED_PEER)) return;
      event.preventDefault();
      setReceiving(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setReceiving(false);
    },
    onDrop: (event: DragEvent) => {
      const [peer = '', from = ''] = event.dataTransfer.getData(DRAGGED_PEER).split(' ');
      event.preventDefault();
      setReceiving(false);
      if (from !== id) onMove(peer, from, id);
    },
  };
}

interface MemberProps {
  readonly node: GraphNode;
  /** The node of its group. */
  readonly group: string;
}

const Member = memo(function Member({ node: { id, type, label, meta }, group }: MemberProps) {
  const { tone, words } =
    type === 'peer'
      ? STATUS[meta.status ?? 'never_seen']
      : { tone: meta.enforced ? 'good' : 'hollow', words: meta.enforced ? 'enforced' : 'not enforced' };
  const drag = type === 'peer' && {
    className: 'nodrag',
    draggable: true,
    title: 'Drag to another group',
    onDragStart: ({ dataTransfer }: DragEvent) => dataTransfer.setData(DRAGGED_PEER, `${id} ${group}`),
  };
  return (
    <li {...drag}>
      <span className={`dot ${tone}${type === 'resource' ? ' square' : ''}`} title={words} />
      <span className="truncate grow">{label}</span>
      <code className="muted">{meta.ip ?? meta.address}</code>
    </li>
  );
});
