import { MoreHorizontal, Server, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Card } from '../../../components/card';
import { Menu } from '../../../components/overlays/menu';
import { SearchInput } from '../../../components/forms/search-input';
import { Empty } from '../../../components/states';
import { Table, type Column } from '../../../components/tables/table';
import type { GraphNode } from '../../../topology/graph';
import type { Model } from '../../../topology/model';
import type { Acts } from '../acts';
import { GroupsDialog } from '../dialogs/groups-dialog';
import { PeerStatusMark } from '../peer-status';
import { SetupKeys } from './setup-keys';

interface PeersTableProps {
  readonly model: Model;
  readonly acts: Acts;
}

/** Every peer of the network, and the keys with which more can join. */
export function PeersView({ revision, ...network }: PeersTableProps & { readonly revision: number }) {
  return (
    <div className="stack">
      <PeersTable {...network} />
      <SetupKeys revision={revision} />
    </div>
  );
}

function PeersTable({ model, acts }: PeersTableProps) {
  const [text, setText] = useState('');
  const [edited, setEdited] = useState<GraphNode>();
  const word = text.trim().toLowerCase();
  const rows = useMemo(
    () => model.peers.filter(({ label, meta }) => `${label} ${meta.ip ?? ''}`.toLowerCase().includes(word)),
    [model.peers, word],
  );
  const columns = useMemo(() => columnsOf(model, acts, setEdited), [model, acts]);
  return (
    <Card title="Peers" isFlush actions={<SearchInput label="Search peers" text={text} onChange={setText} />}>
      <Table
        label="Peers"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        empty={
          <Empty icon={Server} title={word === '' ? 'No machine has joined yet' : `No peers match “${text.trim()}”`}>
            {word === '' ? 'Add a machine: you get a command to run on it.' : 'Search by name or address.'}
          </Empty>
        }
      />
      {edited && <GroupsDialog peer={edited} model={model} acts={acts} onClose={() => setEdited(undefined)} />}
    </Card>
  );
}

function columnsOf(model: Model, acts: Acts, edit: (peer: GraphNode) => void): readonly Column<GraphNode>[] {
  const names = new Map(model.groups.map(({ groupId, node }) => [groupId, node.label]));
  const groupsOf = ({ meta }: GraphNode) => (meta.groups ?? []).map((id) => names.get(id) ?? id).join(', ');
  return [
    { id: 'name', title: 'Name', value: ({ label }) => label, cell: ({ label }) => label },
    { id: 'address', title: 'Address', value: ({ meta }) => meta.ip ?? '', cell: ({ meta }) => <code>{meta.ip}</code> },
    {
      id: 'state',
      title: 'State',
      value: ({ meta }) => meta.status ?? '',
      cell: ({ meta }) => <PeerStatusMark status={meta.status} />,
    },
    { id: 'groups', title: 'Groups', value: groupsOf, cell: groupsOf },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (peer) => (
        <Menu
          trigger={
            <button type="button" className="button quiet small icon-only" aria-label={`Actions of ${peer.label}`}>
              <MoreHorizontal className="icon" aria-hidden />
            </button>
          }
          items={[
            { label: 'Change its groups', run: () => edit(peer) },
            { label: 'Delete', icon: Trash2, isDangerous: true, isApart: true, run: () => acts.deletePeer(peer) },
          ]}
        />
      ),
    },
  ];
}
